import Bytes
import JSON
import TestSupport
import Testing

@testable import ProgramSupport

/// The calls of App Center's command line client, as in its sources: paths, headers, bodies, and how it uses
/// the responses.
///
/// `@unchecked Sendable`: it only sends requests to the server, each on its own connection.
struct AppCenterClient: @unchecked Sendable {
  let server: RunningServer
  let token: String
  var app = "acme/Tern"

  /// Status codes that the client's generated operations list; the client takes them for a result.
  static let listed: Set<Int> = [200, 400, 403, 500]
  /// The threshold above which the client sends a blob in blocks, here far lower.
  static let blockSize = 1 << 14

  /// Result of a step.
  struct Failed: Error, CustomStringConvertible {
    let step: String
    let status: Int
    let text: String
    var description: String { "\(step): \(status) \(text)" }
  }

  private var headers: [String] {
    [
      "X-API-Token: \(token)", "user-agent: appcenterCli/3.0.3 NodeJS/v18.16.0 linux",
      "internal-request-source: cli", "cli-command-name: crashes upload-symbols",
      "diagnostic-context: 1d0a1f6e-1c0c-4d0c-9f4e-2e3c7e0b7a10",
      "Content-Type: application/json; charset=utf-8", "accept: application/json",
    ]
  }

  func call(_ method: String, _ path: String, _ body: String? = nil) throws -> WebClient.Answer {
    try #require(
      server.ask(method, path, token: "", headers: headers, body: body.map { Array($0.utf8) }))
  }

  func json(_ method: String, _ path: String, _ body: String? = nil) throws -> JSONValue {
    try JSONDocument.parse(ByteView(call(method, path, body).body)).value
  }

  var base: String { "/v0.1/apps/\(app)" }

  // MARK: The three steps

  struct Announced {
    let id: String
    let url: String
    /// The address as the client splits it: the first two parts of the path, and the query.
    let container: Substring
    let blob: Substring
    let signature: Substring

    var path: String { "/\(container)/\(blob)?\(signature)" }
  }

  func announce(_ body: String) throws -> Announced {
    let answer = try call("POST", base + "/symbol_uploads", body)
    guard Self.listed.contains(answer.status) else {
      throw Failed(step: "announce", status: answer.status, text: answer.text)
    }
    let value = try JSONDocument.parse(ByteView(answer.body)).value
    let id = try #require(value["symbol_upload_id"]?.string)
    let url = try #require(value["upload_url"]?.string)
    let parts = url.split(separator: "?", maxSplits: 1)
    let path = try #require(parts.first).split(separator: "/").dropFirst(2)
    // Further parts of the path would be lost.
    #expect(url.hasPrefix("http://") && path.count == 2 && parts.count == 2, "\(url)")
    let end = try #require(value["expiration_date"]?.string)
    #expect(end.hasSuffix("Z"))
    return Announced(
      id: id, url: url, container: path[path.startIndex], blob: path[path.startIndex + 1],
      signature: parts[1])
  }

  @discardableResult
  func put(_ bytes: [UInt8], to upload: Announced, _ more: String = "") throws -> Int {
    let headers = [
      "x-ms-blob-type: BlockBlob", "x-ms-blob-content-type: application/zip",
      "x-ms-version: 2021-12-02", "x-ms-client-request-id: 7c9e6679-7425-40de-944b-e07fc1f90ae7",
      "Content-Type: application/octet-stream",
    ]
    let answer = try #require(
      server.ask("PUT", upload.path + more, token: "", headers: headers, body: bytes))
    return answer.status
  }

  @discardableResult
  func putBlock(_ id: String, _ bytes: some Sequence<UInt8>, to upload: Announced) throws -> Int {
    let name = id.replacing("+", with: "%2B").replacing("/", with: "%2F")
      .replacing("=", with: "%3D")
    return try put(Array(bytes), to: upload, "&comp=block&blockid=" + name)
  }

  @discardableResult
  func putList(_ ids: [String], to upload: Announced) throws -> Int {
    let list = ids.map { "<Latest>\($0)</Latest>" }.joined()
    let text =
      #"<?xml version="1.0" encoding="utf-8" standalone="yes"?><BlockList>\#(list)</BlockList>"#
    return try put(Array(text.utf8), to: upload, "&comp=blocklist")
  }

  /// The client expects a listed status for a committed upload.
  @discardableResult
  func finish(_ upload: Announced, _ status: String = "committed") throws -> JSONValue {
    let path = base + "/symbol_uploads/" + upload.id
    let answer = try call("PATCH", path, #"{"status":"\#(status)"}"#)
    guard Self.listed.contains(answer.status) else {
      throw Failed(step: "finish", status: answer.status, text: answer.text)
    }
    #expect(answer.status == 200)
    return try JSONDocument.parse(ByteView(answer.body)).value
  }

  /// `appcenter crashes upload-symbols`: a failed PUT is swallowed, and the commit is sent all the same.
  @discardableResult
  func uploadSymbols(_ zip: [UInt8], kind: String = "Apple") throws -> JSONValue {
    let upload = try announce(#"{"symbol_type":"\#(kind)"}"#)
    try put(zip, to: upload)
    return try finish(upload)
  }
}

/// Base64 with padding (RFC 4648 4), as clients write ids and attachments.
enum Base64Text {
  static func of(_ bytes: some Collection<UInt8>) -> String {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var text: [UInt8] = []
    var rest = Array(bytes)[...]
    while !rest.isEmpty {
      let part = rest.prefix(3)
      rest = rest.dropFirst(3)
      let bits = part.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - part.count))
      for place in 0..<4 {
        let letter = letters[bits >> (18 - 6 * place) & 63]
        text.append(place <= part.count ? letter : UInt8(ascii: "="))
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}
