package import CrashService
internal import Arguments

/// Orders with names of their own on the command line.
package protocol NamedOrder {
  /// The name that is shown; the raw value is understood as well.
  var name: String { get }
}

extension GroupOrder: NamedOrder {
  /// Users, as everywhere; the API has the name of the member that it sorts by.
  package var name: String { self == .installs ? "users" : rawValue }
}

/// The key that a list is sorted by; `-` before it reverses the order.
package struct SortKey<Order: RawRepresentable & CaseIterable & Sendable>: ArgumentValue, Sendable
where Order.RawValue == String {
  package var order: Order
  package var isReversed = false

  package init(_ order: Order) { self.order = order }

  package init?(argument: String) {
    let isReversed = argument.hasPrefix("-")
    let name = isReversed ? String(argument.dropFirst()) : argument
    let named = Order.allCases.first { Self.name(of: $0) == name }
    guard let order = named ?? Order(rawValue: name) else { return nil }
    self.order = order
    self.isReversed = isReversed
  }

  package var argument: String { (isReversed ? "-" : "") + Self.name(of: order) }
  package static var valueName: String { choices.joined(separator: "|") }
  package static var choices: [String] { Order.allCases.map(name(of:)) }

  private static func name(of order: Order) -> String {
    (order as? any NamedOrder)?.name ?? order.rawValue
  }
}
