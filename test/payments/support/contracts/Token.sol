// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// A dollar-like token for tests: ERC-20 with EIP-3009 and the checks that the real one makes.
/// Its code is placed at a known address without running a constructor, so every value has a
/// default and `configure` changes it. Anyone may mint: it lives on a chain of one process.
contract Token {
    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);
    event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce);
    event AuthorizationCanceled(address indexed authorizer, bytes32 indexed nonce);

    bytes32 private constant TRANSFER_TYPEHASH = keccak256(
        "TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
    );
    bytes32 private constant CANCEL_TYPEHASH =
        keccak256("CancelAuthorization(address authorizer,bytes32 nonce)");
    uint256 private constant HALF_ORDER = 0x7FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF5D576E7357A4501DDFE92F46681B20A0;

    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    mapping(address => mapping(bytes32 => bool)) private used;
    mapping(address => bool) public isBlacklisted;
    uint256 public feePercent;
    string private configuredName;
    string private configuredVersion;
    uint8 private configuredDecimals;

    function configure(string calldata name_, string calldata version_, uint8 decimals_) external {
        configuredName = name_;
        configuredVersion = version_;
        configuredDecimals = decimals_;
    }

    function mint(address to, uint256 value) external {
        balanceOf[to] += value;
        emit Transfer(address(0), to, value);
    }

    function setBlacklisted(address account, bool value) external {
        isBlacklisted[account] = value;
    }

    function setFeePercent(uint256 value) external {
        feePercent = value;
    }

    function name() public view returns (string memory) {
        return bytes(configuredName).length == 0 ? "USDC" : configuredName;
    }

    function symbol() external pure returns (string memory) {
        return "USDC";
    }

    function version() public view returns (string memory) {
        return bytes(configuredVersion).length == 0 ? "2" : configuredVersion;
    }

    function decimals() external view returns (uint8) {
        return configuredDecimals == 0 ? 6 : configuredDecimals;
    }

    function DOMAIN_SEPARATOR() public view returns (bytes32) {
        return keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
                keccak256(bytes(name())),
                keccak256(bytes(version())),
                block.chainid,
                address(this)
            )
        );
    }

    function authorizationState(address authorizer, bytes32 nonce) external view returns (bool) {
        return used[authorizer][nonce];
    }

    function transfer(address to, uint256 value) external returns (bool) {
        move(msg.sender, to, value);
        return true;
    }

    function approve(address spender, uint256 value) external returns (bool) {
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        require(allowance[from][msg.sender] >= value, "ERC20: transfer amount exceeds allowance");
        allowance[from][msg.sender] -= value;
        move(from, to, value);
        return true;
    }

    function transferWithAuthorization(
        address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce,
        uint8 v, bytes32 r, bytes32 s
    ) external {
        useAuthorization(from, to, value, validAfter, validBefore, nonce, abi.encodePacked(r, s, v));
    }

    function transferWithAuthorization(
        address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce,
        bytes memory signature
    ) external {
        useAuthorization(from, to, value, validAfter, validBefore, nonce, signature);
    }

    function cancelAuthorization(address authorizer, bytes32 nonce, uint8 v, bytes32 r, bytes32 s) external {
        require(!used[authorizer][nonce], "FiatTokenV2: authorization is used or canceled");
        bytes32 structHash = keccak256(abi.encode(CANCEL_TYPEHASH, authorizer, nonce));
        require(isSignedBy(authorizer, structHash, abi.encodePacked(r, s, v)), "FiatTokenV2: invalid signature");
        used[authorizer][nonce] = true;
        emit AuthorizationCanceled(authorizer, nonce);
    }

    function useAuthorization(
        address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce,
        bytes memory signature
    ) private {
        require(block.timestamp > validAfter, "FiatTokenV2: authorization is not yet valid");
        require(block.timestamp < validBefore, "FiatTokenV2: authorization is expired");
        require(!used[from][nonce], "FiatTokenV2: authorization is used or canceled");
        bytes32 structHash =
            keccak256(abi.encode(TRANSFER_TYPEHASH, from, to, value, validAfter, validBefore, nonce));
        require(isSignedBy(from, structHash, signature), "FiatTokenV2: invalid signature");
        used[from][nonce] = true;
        emit AuthorizationUsed(from, nonce);
        move(from, to, value);
    }

    function isSignedBy(address signer, bytes32 structHash, bytes memory signature) private view returns (bool) {
        bytes32 digest = keccak256(abi.encodePacked("\x19\x01", DOMAIN_SEPARATOR(), structHash));
        if (signer.code.length > 0) {
            (bool ok, bytes memory answer) = signer.staticcall(
                abi.encodeWithSignature("isValidSignature(bytes32,bytes)", digest, signature)
            );
            return ok && answer.length >= 32 && bytes4(abi.decode(answer, (bytes32))) == bytes4(0x1626ba7e);
        }
        if (signature.length != 65) return false;
        bytes32 r;
        bytes32 s;
        uint8 v;
        assembly {
            r := mload(add(signature, 32))
            s := mload(add(signature, 64))
            v := byte(0, mload(add(signature, 96)))
        }
        if (uint256(s) > HALF_ORDER) return false;
        address recovered = ecrecover(digest, v, r, s);
        return recovered != address(0) && recovered == signer;
    }

    function move(address from, address to, uint256 value) private {
        require(!isBlacklisted[from] && !isBlacklisted[to], "Blacklistable: account is blacklisted");
        require(balanceOf[from] >= value, "ERC20: transfer amount exceeds balance");
        uint256 fee = value * feePercent / 100;
        balanceOf[from] -= value;
        balanceOf[to] += value - fee;
        emit Transfer(from, to, value - fee);
        if (fee > 0) {
            balanceOf[address(this)] += fee;
            emit Transfer(from, address(this), fee);
        }
    }
}

/// A contract account that accepts what its owner signed (ERC-1271), wrapped in more than 65 bytes.
contract Wallet {
    address private immutable owner;

    constructor(address owner_) {
        owner = owner_;
    }

    function isValidSignature(bytes32 digest, bytes memory signature) external view returns (bytes4) {
        if (signature.length < 65) return 0xffffffff;
        bytes32 r;
        bytes32 s;
        uint8 v;
        assembly {
            r := mload(add(signature, 32))
            s := mload(add(signature, 64))
            v := byte(0, mload(add(signature, 96)))
        }
        return ecrecover(digest, v, r, s) == owner ? bytes4(0x1626ba7e) : bytes4(0xffffffff);
    }
}

/// A contract account that vouches for anything while it is only simulated, as long as it is given `gasMin`, and
/// burns all the gas that it gets once it is mined.
contract GasBurner {
    uint256 private immutable gasMin;

    constructor(uint256 gasMin_) {
        gasMin = gasMin_;
    }

    function isValidSignature(bytes32, bytes memory) external view returns (bytes4) {
        if (tx.gasprice == 0) return gasleft() >= gasMin ? bytes4(0x1626ba7e) : bytes4(0xffffffff);
        while (gasleft() > 3000) {}
        return 0xffffffff;
    }
}

/// A contract account whose honest check of a signature costs so much gas, as one does that verifies a passkey.
contract CostlyWallet {
    uint256 private immutable gasCost;

    constructor(uint256 gasCost_) {
        gasCost = gasCost_;
    }

    function isValidSignature(bytes32, bytes memory) external view returns (bytes4) {
        uint256 gasAtStart = gasleft();
        while (gasAtStart - gasleft() < gasCost) {}
        return 0x1626ba7e;
    }
}

/// Does in one transaction what no single call can: several transfers, or Transfer logs without a transfer.
contract Script {
    event Transfer(address indexed from, address indexed to, uint256 value);

    function pretend(address from, address to, uint256 value) external {
        emit Transfer(from, to, value);
    }

    function transferTwice(Token token, address to, uint256 first, uint256 second) external {
        token.transferFrom(msg.sender, to, first);
        token.transferFrom(msg.sender, to, second);
    }
}

/// Carries many calls in one transaction, in order, as a bundler or a multicall contract does.
contract Bundle {
    struct Call {
        address target;
        bytes data;
    }

    function run(Call[] calldata calls) external {
        for (uint256 index = 0; index < calls.length; index++) {
            (bool ok, bytes memory answer) = calls[index].target.call(calls[index].data);
            if (!ok) {
                assembly {
                    revert(add(answer, 32), mload(answer))
                }
            }
        }
    }
}
