internal import Bytes
internal import HTTPClient

/// Reads a range of an object, over as many answers as it takes, and checks that they fit together.
///
/// A try that ends early is continued after its last byte where the server names the version of the object,
/// so that the rest is of the same one; otherwise everything is read anew.
struct Download {
  /// The object in errors.
  let subject: String
  /// `nil` for everything.
  let range: Range<Int>?
  /// The most bytes to take.
  let limit: Int
  let target: DownloadTarget

  /// A request that is made.
  struct Part {
    /// The first byte and the one after the last; `nil` for everything.
    var range: (start: Int, end: Int?)?
    /// The version that the answer has to be of.
    var entityTag: String?

    /// Source: RFC 9110 14.1.2.
    var headers: [(name: String, value: String)] {
      var headers: [(name: String, value: String)] = []
      if let range {
        headers.append(("Range", "bytes=\(range.start)-\(range.end.map { "\($0 - 1)" } ?? "")"))
      }
      if let entityTag { headers.append(("If-Match", entityTag)) }
      return headers
    }
  }

  /// Makes one try.
  ///
  /// - Returns: The head of an answer with 200, 206 or 416; `nil` for another try.
  typealias Ask = (Part, AnswerSink, inout Attempts) throws(ObjectStorageError) -> WebHead?

  /// - Parameter entityTag: The version to read; `nil` for any.
  func run(
    _ attempts: inout Attempts, entityTag: String?, _ ask: Ask
  ) throws(ObjectStorageError) -> ObjectHead {
    precondition(range?.lowerBound ?? 0 >= 0, "a range before the first byte")
    // It may be of a list, in which anything can stand.
    if let entityTag, !ObjectHead.isStrong(entityTag) {
      throw error(.malformed, "its entity tag does not name a version that can be asked for")
    }
    let state = DownloadState(self)
    while true {
      if state.done > 0, state.facts?.hasVersion != true {
        guard target.restart() else {
          throw error(.unreachable, "the transfer broke off and cannot be continued")
        }
        state.restart()
      }
      let isWhole = range == nil && state.done == 0
      let part = Part(
        range: isWhole ? nil : (state.position, state.end),
        entityTag: entityTag ?? state.facts?.strongTag)
      state.beginAnswer(askedForAll: isWhole)
      let sink = AnswerSink(
        document: 64 << 10, begin: { state.begin($0) }, take: { state.take($0) },
        progress: { state.progress })
      let head = try ask(part, sink, &attempts)
      if let failure = state.failure { throw failure }
      guard let head else { continue }
      if head.status == 416 {
        // A range of an empty object is not one, and its beginning is what was asked for.
        if state.position == 0, state.done == 0 { return ObjectHead(head, size: 0) }
        throw error(.outOfRange, "it has no byte at \(state.position)", status: 416)
      }
      if let facts = state.finish() { return facts }
      try attempts.pause(
        after: error(.unreachable, "the answer ended early"), progress: sink.progress)
    }
  }

  fileprivate func error(
    _ kind: ObjectStorageError.Kind, _ reason: String, status: Int? = nil
  ) -> ObjectStorageError {
    ObjectStorageError(kind, subject, reason, status: status)
  }
}

/// How far a download has come.
private final class DownloadState {
  private let download: Download
  private let start: Int
  /// The byte after the last that is wanted; `nil` until it is known.
  private(set) var end: Int?
  /// Bytes that were handed on.
  private(set) var done = 0
  private(set) var facts: ObjectHead?
  private(set) var failure: ObjectStorageError?
  /// Bytes of this answer before those that are wanted.
  private var skipped = 0
  private var askedForAll = false
  private var doneBefore = 0
  /// Whether this answer has everything up to the end of the object, wherever that is.
  private var reachesEnd = false

  init(_ download: Download) {
    self.download = download
    start = download.range?.lowerBound ?? 0
    end = download.range?.upperBound
  }

  var position: Int { start.addingClamped(done) }

  func restart() {
    done = 0
    end = download.range?.upperBound
    facts = nil
  }

  func beginAnswer(askedForAll: Bool) {
    self.askedForAll = askedForAll
    doneBefore = done
    skipped = 0
    reachesEnd = false
  }

  /// Bytes of this answer that need not come again. Without a version, all do.
  var progress: Int { facts?.hasVersion == true ? done - doneBefore : 0 }

  func begin(_ head: WebHead) -> AnswerSink.Disposition {
    do throws(ObjectStorageError) {
      switch head.status {
      case 206: try beginPart(head)
      case 200: try beginWhole(head)
      case 201...299:
        throw download.error(
          .malformed, "the server answered \(head.status) to a question for bytes")
      default: return .document
      }
      return .object
    } catch {
      failure = error
      return .stop
    }
  }

  private func beginPart(_ head: WebHead) throws(ObjectStorageError) {
    guard !askedForAll, let text = head["content-range"], let part = ContentRange(parsing: text),
      part.range.lowerBound == position, part.range.upperBound <= end ?? .max
    else {
      throw download.error(
        .malformed,
        "the answer is of another range (\((head["content-range"] ?? "none").prefix(60)))"
          + " than the one asked for")
    }
    if let length = try length(head), length != part.range.count {
      throw download.error(
        .malformed, "the answer has \(length) bytes for a range of \(part.range.count)")
    }
    try accept(ObjectHead(head, size: part.total))
    if let total = part.total { try setEnd(total) }
    // Without it, what comes after this range is not known.
    guard part.total != nil || part.range.upperBound == end else {
      throw download.error(.malformed, "the answer does not say how long the object is")
    }
    answerEnd = part.range.upperBound
  }

  /// The server does not read ranges, or everything was asked for.
  private func beginWhole(_ head: WebHead) throws(ObjectStorageError) {
    let length = try length(head)
    try accept(ObjectHead(head, size: length))
    skipped = position
    reachesEnd = true
    answerEnd = .max
    guard let length else { return }
    if position >= length, position > 0 {
      throw download.error(.outOfRange, "it has no byte at \(position)")
    }
    try setEnd(length)
  }

  /// The byte of the object at which this answer ends.
  private var answerEnd = 0

  private func length(_ head: WebHead) throws(ObjectStorageError) -> Int? {
    guard let text = head["content-length"] else { return nil }
    guard let length = ContentRange.number(text) else {
      throw download.error(.malformed, "the length of the answer is not a number")
    }
    return length
  }

  private func accept(_ new: ObjectHead) throws(ObjectStorageError) {
    if let facts, !facts.isSameVersion(as: new) {
      throw download.error(.changed, "it was replaced while it was read")
    }
    if facts == nil { facts = new }
  }

  private func setEnd(_ total: Int) throws(ObjectStorageError) {
    end = min(end ?? total, total)
    let count = (end ?? total).subtractingClamped(start)
    guard count <= download.limit else {
      throw download.error(
        .tooLarge, "\(count) bytes exceed the limit of \(download.limit)")
    }
  }

  func take(_ bytes: RawSpan) -> Bool {
    let passed = min(skipped, bytes.byteCount)
    skipped -= passed
    let left = min(end ?? .max, answerEnd).subtractingClamped(position)
    let wanted = bytes.extracting(passed..<bytes.byteCount).extracting(first: max(0, left))
    guard done.addingClamped(wanted.byteCount) <= download.limit else {
      failure = download.error(.tooLarge, "it has more than \(download.limit) bytes")
      return false
    }
    if let reason = download.target.append(wanted) {
      failure = download.error(.local, reason)
      return false
    }
    done += wanted.byteCount
    // The rest is not wanted.
    return passed + wanted.byteCount == bytes.byteCount
  }

  /// After an answer that did not fail.
  ///
  /// - Returns: The facts where everything came.
  func finish() -> ObjectHead? {
    guard var facts else { return nil }
    if end == nil, reachesEnd {
      end = position
      facts.size = position
    }
    return position == end ? facts : nil
  }
}
