internal import CrashService
internal import Arguments

/// The key that a list is sorted by; `-` before it reverses the order.
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
