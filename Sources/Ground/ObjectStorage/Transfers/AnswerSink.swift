internal import Bytes
internal import HTTPClient

/// Takes an answer: the bytes of an object, or a document that is kept as far as a limit.
final class AnswerSink: WebSink {
  /// The document: a list, an error, or nothing.
  private(set) var document: [UInt8] = []
  private(set) var isCut = false
  /// The head, as soon as it is complete.
  private(set) var head: WebHead?
  private let limit: Int
  /// Takes the head of an answer; returns whether its body goes to `take`.
  private let begin: (WebHead) -> Disposition
  private let take: (RawSpan) -> Bool
  private let measure: () -> Int
  private var isObject = false

  enum Disposition {
    case object
    case document
    case stop
  }

  /// - Parameter limit: Bytes of a document that are kept.
  init(document limit: Int) {
    self.limit = limit
    begin = { _ in .document }
    take = { _ in false }
    measure = { 0 }
  }

  init(
    document limit: Int, begin: @escaping (WebHead) -> Disposition,
    take: @escaping (RawSpan) -> Bool, progress: @escaping () -> Int
  ) {
    self.limit = limit
    self.begin = begin
    self.take = take
    measure = progress
  }

  /// Bytes of the object that this answer brought, and that the next try does not bring again.
  var progress: Int { measure() }

  func begin(_ head: WebHead) -> Bool {
    self.head = head
    let disposition = begin(head)
    isObject = disposition == .object
    return disposition != .stop
  }

  func take(_ bytes: RawSpan) -> Bool {
    if isObject { return take(bytes) }
    let room = limit - document.count
    bytes.withUnsafeBytes { document.append(contentsOf: $0.prefix(room)) }
    guard bytes.byteCount > room else { return true }
    isCut = true
    // The rest of an error is of no use, and may have no end.
    return false
  }

  /// Before another answer, of where this one redirected to.
  func forgetDocument() {
    document = []
    isCut = false
    head = nil
  }
}
