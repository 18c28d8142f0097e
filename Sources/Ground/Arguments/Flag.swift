/// A named switch: `--json`. It is off until it is given.
@propertyWrapper
public struct Flag: Declaration {
  let slot = Slot(false)
  let parameter: Parameter

  public var wrappedValue: Bool { slot.value }

  /// - Parameter isShared: See ``Parameter/isShared``.
  public init(_ names: String..., isShared: Bool = true, help: String) {
    parameter = Parameter(
      kind: .flag, names: names, valueName: "", help: help, choices: [], isRepeated: false,
      isRequired: false, isShared: isShared)
  }

  func accept(_ text: String) -> Bool {
    slot.value = true
    return true
  }
}
