public import CrashModel
public import Identifiers
public import TriageModel

/// All values of one report that a query can test. Text that the report lacks is empty.
public struct ReportValues: Sendable, Hashable {
  public var id = ""
  /// ``NormalisedStack/variant``; empty without a signature.
  public var variant = ""
  public var app = ""
  public var version = ""
  public var build = ""
  public var kind = ReportKind.other
  public var format = ""
  public var category = ""
  public var osName = ""
  public var osVersion = ""
  public var osBuild = ""
  public var device = ""
  public var arch = ""
  public var process = ""
  public var signal = ""
  public var type = ""
  public var exception = ""
  public var code = ""
  public var headline = ""
  public var message = ""
  public var signature = ""
  public var user = ""
  public var install = ""
  /// The id in the form of ``canonical(incident:)``.
  public var incident = ""
  public var source = ""
  public var symbols = SymbolCoverage.full
  public var isProvisional = false
  /// Distinct functions, those of the youngest frames first.
  public var functions: [String] = []
  public var files: [String] = []
  public var images: [String] = []
  /// Tags by name, and properties by name after ``propertyPrefix``.
  public var tags: [String: String] = [:]
  /// The names of files that came with the report.
  public var attachments: [String] = []
  /// The stored time of the crash.
  public var time = Timestamp(seconds: 0)
  public var received = Timestamp(seconds: 0)
  /// Seconds from the start of the process to the crash.
  public var uptime: Double?
  /// The group of the report; `nil` before it is stored.
  public var group: GroupValues?

  public init() {}

  /// The prefix of the names of properties among ``tags``.
  public static let propertyPrefix = "property."

  /// `1.4.0 (512)`.
  public var release: String {
    AppIdentity(
      version: version.isEmpty ? nil : version, build: build.isEmpty ? nil : build
    ).versionText
  }

  /// `iOS 17.2`.
  public var os: String {
    [osName, osVersion].filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// The texts of a source; none is empty.
  ///
  /// - Parameter tag: The name of the tag, for ``ValueSource/tag``, ignoring letter case.
  public func texts(_ source: ValueSource, tag: String? = nil) -> [String] {
    switch source {
    case .function: return functions
    case .file: return files
    case .image: return images
    case .attachment: return attachments
    case .tag:
      let wanted = (tag ?? "").lowercased()
      return tags.filter { $0.key.lowercased() == wanted && !$0.value.isEmpty }.values.sorted()
    default:
      let text = text(source)
      return text.isEmpty ? [] : [text]
    }
  }

  /// The text of a source that has at most one.
  public func text(_ source: ValueSource) -> String {
    switch source {
    case .app: app
    case .group: group?.name ?? ""
    case .id: id
    case .variant: variant
    case .version: version
    case .build: build
    case .release: release
    case .kind: kind.rawValue
    case .format: format
    case .category: category
    case .osName: osName
    case .osVersion: osVersion
    case .osBuild: osBuild
    case .os: os
    case .device: device
    case .arch: arch
    case .process: process
    case .signal: signal
    case .type: type
    case .exception: exception
    case .code: code
    case .headline: headline
    case .message: message
    case .signature: signature
    case .user: user
    case .install: install
    case .incident: incident
    case .source: self.source
    case .symbols: symbols.description
    case .provisional: isProvisional ? "provisional" : ""
    case .state: group?.state.rawValue ?? ""
    case .assignee: group?.assignee ?? ""
    case .function, .file, .image, .tag, .attachment, .time, .received, .uptime, .reports,
      .installs, .versions,
      .firstSeen, .lastSeen:
      ""
    }
  }

  public func number(_ source: ValueSource) -> Double? {
    switch source {
    case .uptime: uptime
    case .reports: group.map { Double($0.reports) }
    case .installs: group.map { Double($0.installs) }
    case .versions: group.map { Double($0.versions) }
    default: nil
    }
  }

  public func time(_ source: ValueSource) -> Timestamp? {
    switch source {
    case .time: time
    case .received: received
    case .firstSeen: group?.firstSeen
    case .lastSeen: group?.lastSeen
    default: nil
    }
  }
}

/// The values of a group that a query can test.
public struct GroupValues: Sendable, Hashable {
  /// `TERN-12`.
  public var name: String
  public var state: GroupState
  public var assignee: String?
  public var reports: Int
  public var installs: Int
  /// Number of versions in which it was seen, counting builds separately.
  public var versions: Int
  public var firstSeen: Timestamp
  public var lastSeen: Timestamp

  public init(
    name: String, state: GroupState, assignee: String? = nil, reports: Int, installs: Int,
    versions: Int, firstSeen: Timestamp, lastSeen: Timestamp
  ) {
    self.name = name
    self.state = state
    self.assignee = assignee
    self.reports = reports
    self.installs = installs
    self.versions = versions
    self.firstSeen = firstSeen
    self.lastSeen = lastSeen
  }
}
