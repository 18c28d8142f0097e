import Bytes
import JSON
import Testing

@testable import ModelContext

@Suite("Messages of the Model Context Protocol")
struct RPCMessageTests {
  private func message(_ text: String) throws(RPCError) -> RPCMessage {
    try RPCMessage(ByteView(Array(text.utf8)))
  }

  @Test("A request has an id, a notification none, a response no method")
  func kinds() throws {
    guard
      case .request(.integer(7), "ping", .object([])) = try message(
        #"{"jsonrpc":"2.0","id":7,"method":"ping"}"#)
    else { return #expect(Bool(false), "not a request") }
    guard
      case .request(.string("a"), "x", let parameters) = try message(
        #" {"jsonrpc":"2.0","id":"a","method":"x","params":{"b":1}} "#)
    else { return #expect(Bool(false), "not a request") }
    #expect(parameters["b"]?.integer == 1)
    guard
      case .notification("notifications/initialized", _) = try message(
        #"{"jsonrpc":"2.0","method":"notifications/initialized"}"#)
    else { return #expect(Bool(false), "not a notification") }
    guard case .response = try message(#"{"jsonrpc":"2.0","id":1,"result":{}}"#) else {
      return #expect(Bool(false), "not a response")
    }
  }

  @Test(
    "What is no message is refused with the code of its kind",
    arguments: [
      ("", -32_700), ("{", -32_700), (#"{"jsonrpc":"2.0","method":"a"} {}"#, -32_700),
      ("[]", -32_600), ("{}", -32_600), (#"{"jsonrpc":"1.0","method":"a"}"#, -32_600),
      (#"{"jsonrpc":"2.0","id":null,"method":"a"}"#, -32_600),
      (#"{"jsonrpc":"2.0","id":1.5,"method":"a"}"#, -32_600),
      (#"{"jsonrpc":"2.0","id":1,"method":2}"#, -32_600),
      (#"{"jsonrpc":"2.0","id":1,"method":"a","params":[]}"#, -32_600),
      (#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#, -32_600),
    ])
  func refused(text: String, code: Int) {
    let error = #expect(throws: RPCError.self) { try message(text) }
    #expect(error?.code.rawValue == code, "\(text)")
  }

  @Test("Nesting and size have limits")
  func limits() {
    let deep = String(repeating: "[", count: 100) + String(repeating: "]", count: 100)
    let text = #"{"jsonrpc":"2.0","id":1,"method":"a","params":{"a":"# + deep + "}}"
    #expect(throws: RPCError.self) { try message(text) }
    let long = String(repeating: " ", count: RPCMessage.largest) + "{}"
    #expect(throws: RPCError.self) { try message(long) }
  }

  @Test("An error is one line that names the request")
  func error() {
    let bytes = RPCError(.methodNotFound, "a\nb").response(to: .string("x"))
    #expect(
      String(decoding: bytes, as: UTF8.self)
        == #"{"jsonrpc":"2.0","id":"x","error":{"code":-32601,"message":"a\nb"}}"#)
  }
}
