/// A value of a report that queries can test. A field of the query language tests one or more of
/// them.
public enum ValueSource: Int, Sendable, Hashable, CaseIterable {
  case app, group, id
  /// The stack of the crash as used for grouping.
  case variant
  case version, build
  /// Version and build as lists show them: `1.4.0 (512)`.
  case release
  case kind, format, category
  case osName, osVersion, osBuild
  /// Name and version: `iOS 17.2`.
  case os
  case device, arch, process
  case signal, type, exception, code
  /// The reason of the crash, without the address.
  case headline
  case message, signature
  case user, install
  /// The reporter's id of the crash.
  case incident
  /// The source of the submission.
  case source
  case symbols, provisional
  case function, file, image
  case tag, attachment
  case time, received
  /// In seconds.
  case uptime
  case state, assignee, reports, installs, versions, firstSeen, lastSeen

  /// The kind of the value.
  public enum ValueKind: Sendable {
    case text, number, time
  }

  public var kind: ValueKind {
    switch self {
    case .time, .received, .firstSeen, .lastSeen: .time
    case .uptime, .reports, .installs, .versions: .number
    default: .text
    }
  }
}
