package import Bytes
package import JSON

/// A message of a client of the Model Context Protocol: JSON-RPC 2.0.
package enum RPCMessage: Sendable {
  case request(id: JSONValue, method: String, parameters: JSONValue)
  case notification(method: String, parameters: JSONValue)
  /// A response. The server never asks, so it is ignored.
  case response

  /// The maximum size of a message, in bytes.
  package static let largest = 1 << 20
  /// The numbers that are ids: those which every reader of JSON distinguishes.
  package static let numbers = -(1 << 53)...(1 << 53)
  private static let limits = JSONLimits(
    depth: 32, bytes: largest, nodes: 20_000, stringBytes: largest)

  /// Reads a message that is the whole of `bytes`.
  ///
  /// - Throws: ``RPCError`` if the bytes are not one message; a batch is not.
  package init(_ bytes: ByteView) throws(RPCError) {
    let parse: JSONParse
    do {
      parse = try JSONDocument.parse(bytes, limits: Self.limits)
    } catch {
      throw RPCError(.parseError, "the message is not JSON: \(error)")
    }
    guard parse.cut == nil, bytes.array[parse.end...].allSatisfy({ $0 <= 0x20 }) else {
      throw RPCError(.parseError, "the message is not one JSON document")
    }
    let message = parse.value
    guard message["jsonrpc"] == .string("2.0") else {
      throw RPCError(.invalidRequest, "the message is not an object with \"jsonrpc\": \"2.0\"")
    }
    let parameters = message["params"] ?? .object([])
    guard parameters.object != nil else {
      throw RPCError(.invalidRequest, "params is not an object")
    }
    guard let id = message["id"] else {
      guard let method = message["method"]?.string else {
        throw RPCError(.invalidRequest, "method is missing")
      }
      self = .notification(method: method, parameters: parameters)
      return
    }
    guard id.string != nil || id.integer.map(Self.numbers.contains) ?? false else {
      throw RPCError(.invalidRequest, "id is neither a text nor a whole number")
    }
    if message["method"] == nil, message["result"] != nil || message["error"] != nil {
      self = .response
      return
    }
    guard let method = message["method"]?.string else {
      throw RPCError(.invalidRequest, "method is missing")
    }
    self = .request(id: id, method: method, parameters: parameters)
  }
}

/// Why a message is not answered with a result.
package struct RPCError: Error, Equatable {
  /// The codes of JSON-RPC 2.0, section 5.1.
  package enum Code: Int, Sendable {
    case parseError = -32_700
    case invalidRequest = -32_600
    case methodNotFound = -32_601
    case invalidParameters = -32_602
    case internalError = -32_603
  }

  package let code: Code
  package let message: String

  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// Returns the response, in one line.
  ///
  /// - Parameter id: That of the request; `null` if it could not be read.
  package func response(to id: JSONValue) -> [UInt8] {
    RPCResponse.bytes(to: id) { writer in
      writer.key("error")
      writer.beginObject()
      writer.member("code", code.rawValue)
      writer.member("message", message)
      writer.endObject()
    }
  }
}

/// Responses of JSON-RPC 2.0.
enum RPCResponse {
  /// Returns a response with the member that `write` writes, in one line without its end.
  static func bytes(to id: JSONValue, _ write: (inout JSONWriter) -> Void) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("jsonrpc", "2.0")
    writer.key("id")
    writer.value(id)
    write(&writer)
    writer.endObject()
    return writer.takeBytes()
  }
}
