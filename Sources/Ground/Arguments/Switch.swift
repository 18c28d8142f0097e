/// A pair of switches that undo each other: of `--inlines` and `--no-inlines` the last one counts.
@propertyWrapper
public struct Switch: Declaration {
  let slot: Slot<Bool>
  let parameter: Parameter
  private let offNames: [String]

  public var wrappedValue: Bool { slot.value }

  /// - Parameters:
  ///   - names: Those that turn it on.
  ///   - offNames: Those that turn it off.
  public init(wrappedValue: Bool, on names: String..., off offNames: String..., help: String) {
    slot = Slot(wrappedValue)
    self.offNames = offNames
    parameter = Parameter(
      kind: .flag, names: wrappedValue ? offNames + names : names + offNames, valueName: "",
      help: help, choices: [], isRepeated: false, isRequired: false)
  }

  /// - Parameter text: The name by which it was given; without one it is that which changes something.
  func accept(_ text: String) -> Bool {
    let name = text.isEmpty ? parameter.names.first ?? "" : text
    slot.value = !offNames.contains(name)
    return true
  }
}
