import Arguments
import CrashStore

/// What a list is sorted by; `-` before it turns the list round.
struct SortKey<Order: RawRepresentable & CaseIterable & Sendable>: ArgumentValue, Sendable
where Order.RawValue == String {
  var order: Order
  var isReversed = false

  init(_ order: Order) { self.order = order }

  init?(argument: String) {
    let isReversed = argument.hasPrefix("-")
    guard let order = Order(rawValue: isReversed ? String(argument.dropFirst()) : argument) else {
      return nil
    }
    self.order = order
    self.isReversed = isReversed
  }

  var argument: String { (isReversed ? "-" : "") + order.rawValue }
  static var valueName: String { choices.joined(separator: "|") }
  static var choices: [String] { Order.allCases.map(\.rawValue) }
}

/// What `groups --sort` takes.
enum GroupOrder: String, CaseIterable, Sendable {
  case reports
  case lastSeen = "last-seen"
  case firstSeen = "first-seen"
  case versions
  case installs

  var order: GroupQuery.Order {
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
enum ReportOrder: String, CaseIterable, Sendable {
  case time
  case received

  var order: ReportQuery.Order {
    switch self {
    case .time: .time
    case .received: .received
    }
  }
}
