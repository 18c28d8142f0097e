public import CrashModel

/// An upload in several steps: announced, sent, committed.
public struct Upload: Equatable, Sendable {
  public enum Status: String, Sendable {
    case created, committed, aborted, processing, indexed, failed

    /// Those of uploads that are still under way, as a list in SQL.
    static let open = list([.created, .committed, .processing])
    /// Those of uploads that have ended.
    static let ended = list([.aborted, .failed, .indexed])

    private static func list(_ statuses: [Status]) -> String {
      statuses.map { "'\($0.rawValue)'" }.joined(separator: ", ")
    }
  }

  public let id: String
  /// The app that it was announced for.
  public let app: String
  /// What was said that it holds, such as `Apple`.
  public let kind: String
  public let fileName: String?
  public let version: String?
  public let build: String?
  public let created: Timestamp
  public let committed: Timestamp?
  public let status: Status
  /// In bytes.
  public let size: Int
  /// The debug ids that were found in it, as 32 hexadecimal digits.
  public let symbols: [String]
  /// The bytes of a release's file, as they were announced.
  public let announced: Int?
  /// Who commits a release's file, as the history names it.
  public let author: String?
  /// The number that a release's file got.
  public let artefact: Int?
  /// Why it failed.
  public let problem: String?
}
