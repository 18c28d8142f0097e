public import Bytes

/// A request to an object store that did not succeed.
public struct ObjectStorageError: Error, CustomStringConvertible, UserFacingError {
  public enum Kind: Sendable, Hashable {
    /// The object or bucket does not exist.
    case notFound
    /// The credentials are missing, wrong, or do not suffice.
    case notAllowed
    /// Another version of the object came between two requests.
    case changed
    /// The object does not have the bytes that were asked for.
    case outOfRange
    /// There are more bytes than the caller allows.
    case tooLarge
    /// No answer, or temporary refusals, until the last try.
    case unreachable
    /// An answer that contradicts the protocol or itself.
    case malformed
    /// A setting that cannot be used.
    case configuration
    /// A file on this machine.
    case local
    /// Anything else that the server refuses.
    case refused
  }

  public let kind: Kind
  /// The object: `s3://bucket/key`, or an address without its secrets.
  public let subject: String
  /// The status of the answer, where one came.
  public let status: Int?
  /// The server's name for the problem: `NoSuchKey`.
  public let code: String?
  /// The problem in a sentence.
  public let reason: String
  /// Advice that may help.
  public let advice: String?

  init(
    _ kind: Kind, _ subject: String, _ reason: String, status: Int? = nil, code: String? = nil,
    advice: String? = nil
  ) {
    self.kind = kind
    self.subject = subject
    self.reason = reason
    self.status = status
    self.code = code
    self.advice = advice
  }

  /// `s3://bucket/key: AccessDenied (403): Access Denied; check that ...`, in one line.
  public var description: String {
    var text = subject.isEmpty ? "" : "\(subject.printable): "
    if let code = code?.printable { text += status.map { "\(code) (\($0)): " } ?? "\(code): " }
    text += reason.printable
    if let advice { text += "; \(advice)" }
    return text
  }

  public var failureKind: FailureKind {
    switch kind {
    case .notFound: .notFound
    case .notAllowed: .notAllowed
    case .unreachable: .unreachable
    case .configuration: .wrongUsage
    case .changed, .outOfRange, .tooLarge, .malformed, .local, .refused: .failed
    }
  }
}
