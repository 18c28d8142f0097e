/// The tables of client data that is erased with a user or an installation.
enum ErasurePart: String {
  case events = "session_events"
  case sessions
  case orphans = "orphan_attachments"
  case refusals = "refused_attachments"
  case clientReports = "client_reports"
  case pastCrashes = "past_crashes"

  /// The columns that identify a row.
  var key: [String] {
    switch self {
    case .events: ["app", "session", "time", "id", "name"]
    case .sessions: ["app", "id"]
    case .orphans: ["app", "client", "name", "digest"]
    case .refusals: ["app", "client", "digest", "name", "reason"]
    case .clientReports: ["app", "client"]
    case .pastCrashes: ["app", "report"]
    }
  }

  var count: WritableKeyPath<ErasureCount, Int> {
    switch self {
    case .events: \.events
    case .sessions: \.sessions
    case .orphans: \.orphans
    case .refusals: \.attachments
    case .clientReports: \.clientReports
    case .pastCrashes: \.expiredCrashes
    }
  }
}
