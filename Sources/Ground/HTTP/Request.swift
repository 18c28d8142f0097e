public import Bytes

/// A request with its body, as a handler gets it.
@dynamicMemberLookup
public struct Request: Sendable {
  public var head: RequestHead
  public var body: BodyContent

  public init(_ head: RequestHead, body: BodyContent = .none) {
    self.head = head
    self.body = body
  }

  /// A request for a router that is called without a server.
  public init(
    _ method: String, _ path: String, headers: Headers = [:], body: [UInt8] = []
  ) {
    self.init(
      RequestHead(method, path, headers: headers), body: .bytes(ByteView(body)))
  }

  public subscript<Value>(dynamicMember path: WritableKeyPath<RequestHead, Value>) -> Value {
    get { head[keyPath: path] }
    set { head[keyPath: path] = newValue }
  }

  public subscript<Value>(dynamicMember path: KeyPath<RequestHead, Value>) -> Value {
    head[keyPath: path]
  }

  /// The body of a route that collects it in memory; empty for any other.
  public var bytes: ByteView { if case .bytes(let bytes) = body { bytes } else { .empty } }

  /// The body of a route that spools it to a file.
  public var file: SpooledFile? { if case .file(let file) = body { file } else { nil } }

  /// The parts of a route that takes forms; empty for any other.
  public var parts: [FormPart] { if case .parts(let parts) = body { parts } else { [] } }
}

/// The body of a request, as its route wanted it.
public enum BodyContent: Sendable {
  case none
  case bytes(ByteView)
  case file(SpooledFile)
  case parts([FormPart])
}

/// One part of `multipart/form-data` (RFC 7578).
public struct FormPart: Sendable {
  public enum Content: Sendable {
    case bytes(ByteView)
    case file(SpooledFile)
  }

  /// The field's name.
  public let name: String
  /// The client's name of the file, never a path of ours; `nil` for a field without.
  public let fileName: String?
  public let contentType: String?
  public let content: Content

  /// The length in bytes.
  public var count: Int {
    switch content {
    case .bytes(let bytes): bytes.count
    case .file(let file): file.count
    }
  }

  public init(name: String, fileName: String?, contentType: String?, content: Content) {
    self.name = name
    self.fileName = fileName
    self.contentType = contentType
    self.content = content
  }

  /// The bytes, read from the file where they were spooled.
  ///
  /// - Throws: ``HTTPError`` where the file cannot be read.
  public func read() throws -> ByteView {
    switch content {
    case .bytes(let bytes): bytes
    case .file(let file): try file.read()
    }
  }
}
