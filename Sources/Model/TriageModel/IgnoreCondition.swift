public import Identifiers

/// The conditions under which an ignored group is reopened: as soon as one of those given is met, and never
/// if none is given.
public struct IgnoreCondition: Hashable, Sendable {
  /// The number of further reports.
  public var reports: Int?
  /// The number of further installations with reports.
  public var users: Int?
  public var until: Timestamp?

  public init(reports: Int? = nil, users: Int? = nil, until: Timestamp? = nil) {
    self.reports = reports
    self.users = users
    self.until = until
  }

  public var isNever: Bool { reports == nil && users == nil && until == nil }

  /// The text that follows `ignored`: `until 100 more reports`, `for good`.
  public var words: String {
    var parts: [String] = []
    if let reports { parts.append("\(reports) more \(reports == 1 ? "report" : "reports")") }
    if let users { parts.append("\(users) more \(users == 1 ? "user" : "users")") }
    if let until {
      let whole = Timestamp(seconds: until.seconds).description
      parts.append(whole.prefix(16).replacing("T", with: " ") + " UTC")
    }
    return parts.isEmpty ? "for good" : "until " + parts.joined(separator: " or ")
  }
}
