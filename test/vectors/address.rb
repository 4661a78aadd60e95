# Makes the address of every vector with nothing but Ruby's standard library: prints [[of the payload, of the parameters], …].
require "json"
require "openssl"
require "uri"

def payload_of(parameters)
  [URI.encode_www_form(parameters)].pack("m0").tr("+/", "-_").delete("=")
end

def address(vector, payload)
  start = "/i/#{vector["asset"]}/#{vector["key"]}/#{payload}"
  sig = OpenSSL::HMAC.hexdigest("SHA256", vector["secret"], "GET #{start}.#{vector["ext"]}")[0, 32]
  "#{start}/#{sig}.#{vector["ext"]}"
end

content = JSON.parse(File.read(ARGV[0], encoding: "UTF-8"))
vectors = content["vectors"] + content["otherSpellings"]
puts JSON.generate(vectors.map { |vector| [address(vector, vector["payload"]), address(vector, payload_of(vector["parameters"]))] })
