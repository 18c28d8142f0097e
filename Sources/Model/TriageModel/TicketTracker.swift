/// The issue tracker of an app: where new issues about its groups are written, and from when on.
public struct TicketTracker: Hashable, Sendable {
  public enum Kind: String, CaseIterable, Hashable, Sendable {
    case github, gitlab, jira, youtrack, linear
    /// A tracker whose issues are written by a template, and whose states are not read.
    case other

    /// Its name for people.
    public var name: String {
      switch self {
      case .github: "GitHub"
      case .gitlab: "GitLab"
      case .jira: "Jira"
      case .youtrack: "YouTrack"
      case .linear: "Linear"
      case .other: "the tracker"
      }
    }
  }

  public var kind: Kind
  /// The address of the project, or a template for the address of a new issue with `{title}`, `{body}` and
  /// `{link}`.
  public var address: String
  /// Where the token is that reads states of issues: `file:/path` or `env:NAME`, never the token itself.
  public var token: String?
  /// The number of reports from which on an issue is suggested; `nil` for none.
  public var reports: Int?
  /// The number of users from which on an issue is suggested; `nil` for none.
  public var users: Int?

  public init(
    _ kind: Kind, _ address: String, token: String? = nil, reports: Int? = nil, users: Int? = nil
  ) {
    self.kind = kind
    self.address = address
    self.token = token
    self.reports = reports
    self.users = users
  }

  private static let places = ["{title}", "{body}", "{link}"]

  /// Whether ``address`` is a template.
  var isTemplate: Bool { Self.places.contains { address.contains($0) } }

  /// Why it cannot be used; `nil` if it can.
  public var problem: String? {
    var filled = address
    for place in Self.places { filled = filled.replacing(place, with: "x") }
    guard GroupTicket.isURL(filled) else {
      return "'\(address)' is not the address of a project, such as https://github.com/acme/tern"
    }
    if kind == .other && !isTemplate {
      return "the address of a new issue needs {title}, {body} or {link} where these belong"
    }
    if let token, !token.hasPrefix("file:/"), !token.hasPrefix("env:") {
      return "give the token as file:/path or env:NAME, not as the token itself"
    }
    if [reports, users].contains(where: { $0.map { $0 < 1 } ?? false }) {
      return "a ticket is suggested from at least 1 report or user on"
    }
    return nil
  }

  /// The scheme and host of an address, to which alone the token is sent.
  public static func origin(of address: String) -> String {
    guard let mark = address.firstRange(of: "://") else { return "" }
    let host = address[mark.upperBound...].prefix { !"/?#".contains($0) }
    return (address[..<mark.upperBound] + host).lowercased()
  }

  /// The kind of tracker that a well-known host has.
  public static func kind(of address: String) -> Kind? {
    let host = origin(of: address).drop { $0 != "/" }.drop { $0 == "/" }
    if host == "github.com" { return .github }
    if host == "gitlab.com" { return .gitlab }
    if host == "linear.app" { return .linear }
    if host.hasSuffix(".atlassian.net") { return .jira }
    if host.hasSuffix(".youtrack.cloud") || host.hasSuffix(".myjetbrains.com") { return .youtrack }
    return nil
  }

  /// Whether an issue is suggested for a group that has none.
  public func suggests(_ group: GroupSummary) -> Bool {
    guard group.ticket == nil, group.state == .open || group.state == .regressed else {
      return false
    }
    if reports == nil && users == nil { return true }
    return reports.map { group.reports >= $0 } ?? false
      || users.map { (group.installs ?? 0) >= $0 } ?? false
  }
}
