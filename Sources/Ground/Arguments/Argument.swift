/// A value that is known by its place on the command line.
///
/// An optional may be left out, an array takes all that follow.
@propertyWrapper
public struct Argument<Value>: Declaration {
  let slot: Slot<Value?>
  let parameter: Parameter
  private let assign: (String, Slot<Value?>) -> Bool

  /// The value; the parser has made sure that there is one before the command sees it.
  public var wrappedValue: Value {
    guard let value = slot.value else {
      preconditionFailure("\(parameter.valueName) read before the command line was parsed")
    }
    return value
  }

  func accept(_ text: String) -> Bool { assign(text, slot) }

  private init(
    _ value: Value?, _ parameter: Parameter, assign: @escaping (String, Slot<Value?>) -> Bool
  ) {
    slot = Slot(value)
    self.parameter = parameter
    self.assign = assign
  }
}

extension Argument where Value: ArgumentValue {
  /// An argument that must be given.
  public init(_ name: String, help: String) {
    let parameter = Parameter(
      argument: name, help: help, choices: Value.choices, example: Value.example,
      isRequired: true)
    self.init(nil, parameter) { text, slot in
      slot.value = Value(argument: text)
      return slot.value != nil
    }
  }
}

extension Argument {
  /// An argument that may be left out.
  public init<Wrapped: ArgumentValue>(_ name: String, help: String) where Value == Wrapped? {
    let parameter = Parameter(
      argument: name, help: help, choices: Wrapped.choices, example: Wrapped.example)
    self.init(.some(nil), parameter) { text, slot in
      guard let value = Wrapped(argument: text) else { return false }
      slot.value = value
      return true
    }
  }

  /// All arguments that follow.
  ///
  /// - Parameters:
  ///   - isRequired: Whether there must be at least one.
  ///   - takesDashes: Whether they may begin with `-` where no option does.
  public init<Element: ArgumentValue>(
    _ name: String, help: String, isRequired: Bool = true, takesDashes: Bool = false
  )
  where Value == [Element] {
    var parameter = Parameter(
      argument: name, help: help, choices: Element.choices, example: Element.example,
      isRepeated: true, isRequired: isRequired)
    parameter.takesDashes = takesDashes
    self.init([], parameter) { text, slot in
      guard let value = Element(argument: text) else { return false }
      slot.value = (slot.value ?? []) + [value]
      return true
    }
  }
}

extension Parameter {
  fileprivate init(
    argument name: String, help: String, choices: [String], example: String?,
    isRepeated: Bool = false, isRequired: Bool = false
  ) {
    self.init(
      kind: .argument, names: [], valueName: name, help: help, choices: choices,
      example: example, isRepeated: isRepeated, isRequired: isRequired)
  }
}
