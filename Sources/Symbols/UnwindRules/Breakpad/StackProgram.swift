internal import DWARF

/// Works out what a postfix program of Breakpad's computes, as terms of the callee's registers and
/// memory.
///
/// Tokens: decimal numbers, registers, variables (`$T0`, `.raSearch`), `+ - * / %`, `@` (align
/// down), `^` (read memory) and, in programs, `=` (assign).
///
/// Source: Breakpad, src/processor/postfix_evaluator-inl.h.
struct StackProgram {
  private let registers: StackRegisters
  private var variables: [String: UnwindTerm]
  private var assigned: Set<String> = []
  /// Whether a program asked where the return address is searched for.
  private(set) var usesSearch = false

  /// More is refused.
  private static let tokenLimit = 512

  private enum Item {
    case term(UnwindTerm)
    /// A name, which an assignment takes and everything else looks up.
    case name(String)
  }

  /// - Parameter variables: Those that have a value beforehand.
  init(registers: StackRegisters, variables: [String: UnwindTerm]) {
    self.registers = registers
    self.variables = variables
  }

  /// The last value of `name`; `nil` where it has none.
  func assigned(_ name: String) -> UnwindTerm? {
    assigned.contains(name) ? variables[name] : nil
  }

  /// The value of an expression; `nil` if it cannot be computed.
  mutating func expression(_ text: ArraySlice<UInt8>) -> UnwindTerm? {
    guard let stack = evaluate(text, mayAssign: false), stack.count == 1 else { return nil }
    return value(stack[0])
  }

  /// Runs a program; false if it cannot be computed.
  mutating func run(_ text: ArraySlice<UInt8>) -> Bool {
    evaluate(text, mayAssign: true)?.isEmpty == true
  }

  private mutating func evaluate(_ text: ArraySlice<UInt8>, mayAssign: Bool) -> [Item]? {
    var stack: [Item] = []
    var count = 0
    for word in text.split(separator: UInt8(ascii: " ")) {
      // "=$eip" is two tokens.
      let isGlued = word.count > 1 && word.first == UInt8(ascii: "=")
      for token in isGlued ? [word.prefix(1), word.dropFirst()] : [word] {
        count += 1
        guard count <= Self.tokenLimit, step(token, &stack, mayAssign) else { return nil }
      }
    }
    return stack
  }

  private mutating func step(
    _ token: ArraySlice<UInt8>, _ stack: inout [Item], _ mayAssign: Bool
  ) -> Bool {
    guard let first = token.first else { return true }
    if token.count == 1, let operation = Self.operation(first) {
      guard let right = pop(&stack), let left = pop(&stack)
      else { return false }
      guard let term = combine(operation, left, right) else { return false }
      stack.append(.term(term))
      return true
    }
    switch first {
    case UInt8(ascii: "^") where token.count == 1:
      guard let address = pop(&stack), let term = UnwindTerm.memory(address)
      else { return false }
      stack.append(.term(term))
      return true
    case UInt8(ascii: "=") where token.count == 1:
      guard mayAssign, let term = pop(&stack), case .name(let name) = stack.popLast() else {
        return false
      }
      variables[name] = term
      assigned.insert(name)
      return true
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
      guard let number = Self.number(token) else { return false }
      stack.append(.term(UnwindTerm(number)))
      return true
    default:
      stack.append(.name(String(decoding: token, as: UTF8.self)))
      return true
    }
  }

  private func combine(
    _ operation: UInt8, _ left: UnwindTerm, _ right: UnwindTerm
  ) -> UnwindTerm? {
    switch operation {
    case UInt8(ascii: "+"): UnwindTerm.combine(.plus, left, right)
    case UInt8(ascii: "-"): UnwindTerm.combine(.minus, left, right)
    case UInt8(ascii: "*"): UnwindTerm.combine(.multiply, left, right)
    case UInt8(ascii: "/"): UnwindTerm.combine(.divideUnsigned, left, right)
    case UInt8(ascii: "%"): UnwindTerm.combine(.moduloUnsigned, left, right)
    // Down to a multiple of a power of two.
    default:
      right.isNumber
        ? UnwindTerm.combine(.and, left, UnwindTerm(0 &- right.offset)) : nil
    }
  }

  private static func operation(_ byte: UInt8) -> UInt8? {
    "+-*/%@".utf8.contains(byte) ? byte : nil
  }

  private static func number(_ token: ArraySlice<UInt8>) -> Int64? {
    guard token.count <= 20, let text = String(validating: token, as: UTF8.self) else { return nil }
    // Negative numbers are written as those without a sign too.
    return Int64(text) ?? UInt64(text).map { Int64(bitPattern: $0) }
  }

  private mutating func value(_ item: Item) -> UnwindTerm? {
    guard case .name(let name) = item else {
      if case .term(let term) = item { return term }
      return nil
    }
    return value(named: name)
  }

  private mutating func pop(_ stack: inout [Item]) -> UnwindTerm? {
    guard let item = stack.popLast() else { return nil }
    return value(item)
  }

  private mutating func value(named name: String) -> UnwindTerm? {
    if name.hasPrefix(".raSearch") { usesSearch = true }
    if let term = variables[name] { return term }
    if name == ".cfa" { return .frameAddress }
    if name == ".ra" { return nil }
    return registers[name].map { UnwindTerm(register: $0) }
  }
}
