internal import CrashService
internal import Arguments
package import CrashStore

/// What a list is sorted by; `-` before it turns the list round.
package struct SortKey<Order: RawRepresentable & CaseIterable & Sendable>: ArgumentValue, Sendable
where Order.RawValue == String {
  package var order: Order
  package var isReversed = false

  package init(_ order: Order) { self.order = order }

  package init?(argument: String) {
    let isReversed = argument.hasPrefix("-")
    guard let order = Order(rawValue: isReversed ? String(argument.dropFirst()) : argument) else {
      return nil
    }
    self.order = order
    self.isReversed = isReversed
  }

  package var argument: String { (isReversed ? "-" : "") + order.rawValue }
  package static var valueName: String { choices.joined(separator: "|") }
  package static var choices: [String] { Order.allCases.map(\.rawValue) }
}

/// What `groups --sort` takes.
package enum GroupOrder: String, CaseIterable, Sendable {
  case reports
  case lastSeen = "last-seen"
  case firstSeen = "first-seen"
  case versions
  case installs

  package var order: GroupQuery.Order {
    switch self {
    case .reports: .reports
    case .lastSeen: .lastSeen
    case .firstSeen: .firstSeen
    case .versions: .versions
    case .installs: .installs
    }
  }
}

/// What `reports --sort` takes.
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
