public import Identifiers

/// An upload in several steps: announced, sent, committed.
public struct Upload: Equatable, Sendable {
  public enum Status: String, Sendable {
    case created, committed, aborted, processing, indexed, failed

    /// The statuses of uploads that are still in progress, as a list in SQL.
    static let open = list([.created, .committed, .processing])
    /// The statuses of uploads that have ended, as a list in SQL.
    static let ended = list([.aborted, .failed, .indexed])

    private static func list(_ statuses: [Status]) -> String {
      statuses.map { "'\($0.rawValue)'" }.joined(separator: ", ")
    }
  }

  public let id: String
  /// The app that it was announced for.
  public let app: String
  /// The announced kind of its content, such as `Apple`.
  public let kind: String
  public let fileName: String?
  public let version: String?
  public let build: String?
  public let created: Timestamp
  public let committed: Timestamp?
  public let status: Status
  /// In bytes.
  public let size: Int
  /// The debug ids found in it, as 32 hexadecimal digits.
  public let symbols: [String]
  /// The announced size of a release's file, in bytes.
  public let announced: Int?
  /// The user who commits a release's file, as named in the history.
  public let author: String?
  /// The number of a release's file.
  public let artefact: Int?
  /// The reason for failure.
  public let problem: String?
}
