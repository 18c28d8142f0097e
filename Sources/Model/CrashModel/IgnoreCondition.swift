/// When an ignored group comes back: as soon as one of the conditions that are given holds, and never
/// where none is.
public struct IgnoreCondition: Hashable, Sendable {
  /// After so many more reports.
  public var reports: Int?
  /// After reports from so many more installations.
  public var users: Int?
  public var until: Timestamp?

  public init(reports: Int? = nil, users: Int? = nil, until: Timestamp? = nil) {
    self.reports = reports
    self.users = users
    self.until = until
  }

  public var isNever: Bool { reports == nil && users == nil && until == nil }

  /// What it says, to go on after `ignored`: `until 100 more reports`, `for good`.
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
