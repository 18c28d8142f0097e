internal import Query

/// The searchable fields of a report, each stored as a number.
///
/// The raw values are stored in the database and never change.
enum SearchField: Int, CaseIterable, Sendable {
  // Numbers as they are.
  case group = 1
  case time = 2
  case received = 3
  /// Eight bytes of the hash of the installation's id; 0 where there is none.
  case install = 4
  /// Milliseconds plus one; 0 where unknown.
  case uptime = 5
  // Rows of `search_sets`; 0 for none.
  case stack = 6
  case tags = 7
  // Terms; 0 where the report has no value.
  case version = 10
  case build = 11
  case release = 12
  case kind = 13
  case format = 14
  case category = 15
  case osName = 16
  case osVersion = 17
  case osBuild = 18
  case os = 19
  case device = 20
  case arch = 21
  case process = 22
  case signal = 23
  case type = 24
  case exception = 25
  case code = 26
  case headline = 27
  case signature = 28
  case user = 29
  case symbols = 30
  case provisional = 31
  // Terms that are shapes of texts.
  case message = 32
  case source = 33
  // Terms that occur in sets only.
  case function = 50
  case file = 51
  case image = 52
  case tag = 53

  /// The fields for which each report has a number.
  static let columns = allCases.filter { $0.rawValue < SearchField.function.rawValue }

  /// The fields whose number is a term.
  static let terms = columns.filter { $0.rawValue >= SearchField.version.rawValue }

  /// The column of `search_facts`.
  var sqlName: String {
    switch self {
    case .group: "grp"
    case .osName: "os_name"
    case .osVersion: "os_version"
    case .osBuild: "os_build"
    // A keyword of SQL.
    case .user: "\"user\""
    default: "\(self)"
    }
  }

  var isShape: Bool { self == .message || self == .source }

  /// Whether its values are indexed by trigrams, because there may be very many.
  var hasGrams: Bool {
    switch self {
    case .function, .file, .image, .tag, .message, .source, .signature, .user, .headline: true
    default: false
    }
  }

  /// Whether its terms are permanent, so that a process may cache their numbers.
  var isKept: Bool {
    switch self {
    case .function, .file, .image, .tag, .message, .source, .signature, .user, .headline: false
    default: true
    }
  }

  /// The column whose sets hold the values of this field.
  var set: SearchField? {
    switch self {
    case .function, .file, .image: .stack
    case .tag: .tags
    default: nil
    }
  }

  /// The field in which a source of text is stored; `nil` for one that is not text of a report.
  init?(_ source: ValueSource) {
    switch source {
    case .version: self = .version
    case .build: self = .build
    case .release: self = .release
    case .kind: self = .kind
    case .format: self = .format
    case .category: self = .category
    case .osName: self = .osName
    case .osVersion: self = .osVersion
    case .osBuild: self = .osBuild
    case .os: self = .os
    case .device: self = .device
    case .arch: self = .arch
    case .process: self = .process
    case .signal: self = .signal
    case .type: self = .type
    case .exception: self = .exception
    case .code: self = .code
    case .headline: self = .headline
    case .message: self = .message
    case .signature: self = .signature
    case .user: self = .user
    case .source: self = .source
    case .symbols: self = .symbols
    case .provisional: self = .provisional
    case .function: self = .function
    case .file: self = .file
    case .image: self = .image
    case .tag: self = .tag
    case .app, .group, .id, .variant, .attachment, .install, .incident, .time, .received, .uptime,
      .state,
      .assignee,
      .reports, .installs,
      .versions, .firstSeen, .lastSeen:
      return nil
    }
  }

  /// The sources of text, by the field that stores them.
  static let sources: [SearchField: ValueSource] = Dictionary(
    ValueSource.allCases.compactMap { source in SearchField(source).map { ($0, source) } },
    uniquingKeysWith: { first, _ in first })
}
