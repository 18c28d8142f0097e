/// A named switch: `--json`. It is off until it is given.
@propertyWrapper
public struct Flag: Declaration {
  let slot = Slot(false)
  let parameter: Parameter

  public var wrappedValue: Bool { slot.value }

  public init(_ names: String..., help: String) {
    parameter = Parameter(
      kind: .flag, names: names, valueName: "", help: help, choices: [], isRepeated: false,
      isRequired: false)
  }

  func accept(_ text: String) -> Bool {
    slot.value = true
    return true
  }
}
