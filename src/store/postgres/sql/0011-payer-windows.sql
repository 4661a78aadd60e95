-- What a payer bought with a request's other signatures, and what it signed in vain, are found without reading its other payments.

create index payments_by_request on payments (payer, binding, created_at_ms) where binding is not null;
create index payments_released on payments (payer, created_at_ms) where state = 'released';
