package import CrashStore

/// The orders of `groups --sort`.
package enum GroupOrder: String, CaseIterable, Sendable {
  case reports
  case lastSeen = "last-seen"
  case firstSeen = "first-seen"
  case versions
  case installs
  case change

  package var order: GroupQuery.Order {
    switch self {
    case .reports: .reports
    case .lastSeen: .lastSeen
    case .firstSeen: .firstSeen
    case .versions: .versions
    case .installs: .installs
    case .change: .change
    }
  }
}

/// The orders of `reports --sort`.
package enum ReportOrder: String, CaseIterable, Sendable {
  case time
  case received

  package var order: ReportQuery.Order {
    switch self {
    case .time: .time
    case .received: .received
    }
  }
}
