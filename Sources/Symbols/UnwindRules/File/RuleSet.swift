internal import Bytes

/// The rules of one row while they are collected, in the form of the file.
struct RuleSet: ~Copyable {
  /// The first word and the register rules, by register; see ``UnwindFormat``.
  private(set) var words: Table<UInt64>

  init() {
    words = Table(minimumCapacity: 32)
    words.append(0)
  }

  /// No rules, and nothing known.
  mutating func clear() {
    words.removeAll()
    words.append(0)
  }

  /// The rules that were saved as ``words``.
  mutating func restore(_ saved: Span<UInt64>) {
    words.removeAll()
    words.append(contentsOf: saved)
  }

  // MARK: The CFA

  private var head: UInt64 {
    get { words[0] }
    set { words[0] = newValue }
  }

  var isRegisterCFA: Bool { head & 3 == UnwindFormat.CFA.register }
  var isExpressionCFA: Bool { head & 3 == UnwindFormat.CFA.expression }
  var cfaRegister: UInt8 { UInt8(truncatingIfNeeded: head &>> 16) }
  var cfaOffset: Int32 { Int32(truncatingIfNeeded: head &>> 32) }

  mutating func setCFA(register: UInt8, offset: Int32) {
    head =
      head & 0xff00_fffc | UnwindFormat.CFA.register | UInt64(register) &<< 16
      | UInt64(UInt32(bitPattern: offset)) &<< 32
  }

  /// - Parameter offset: The offset of the expression in the file.
  mutating func setCFA(expression offset: UInt32) {
    head = head & 0xff00_fffc | UnwindFormat.CFA.expression | UInt64(offset) &<< 32
  }

  mutating func setCFAUnknown() { head &= 0xff00_fffc }

  mutating func setReturnAddressRegister(_ register: UInt8) {
    head = head & ~0xff00_0000 | UInt64(register) &<< 24
  }

  var flags: UnwindRow.Flags {
    get { UnwindRow.Flags(rawValue: UInt8(truncatingIfNeeded: head &>> 2 & 0x3f)) }
    set { head = head & ~0xfc | UInt64(newValue.rawValue & 0x3f) &<< 2 }
  }

  // MARK: Registers

  /// Adds or replaces the rule of `register`.
  ///
  /// - Parameter value: The offset, the other register or the offset of the expression.
  /// - Returns: Whether there was room.
  mutating func set(_ register: UInt16, _ kind: UInt8, _ value: Int32 = 0) -> Bool {
    let word =
      UInt64(register) | UInt64(kind) &<< 16 | UInt64(UInt32(bitPattern: value)) &<< 32
    return set(word)
  }

  /// Adds or replaces a rule that is a word of the file.
  mutating func set(_ word: UInt64) -> Bool {
    let register = UInt16(truncatingIfNeeded: word)
    let index = index(of: register)
    if index < words.count, UInt16(truncatingIfNeeded: words[index]) == register {
      words[index] = word
      return true
    }
    guard words.count <= UnwindLimits.registers else { return false }
    words.insert(word, at: index)
    head = head & ~0xff00 | UInt64(words.count &- 1) &<< 8
    return true
  }

  /// Adds how many bytes of parameters the function takes off the stack, after all rules.
  ///
  /// - Returns: Whether there was room.
  mutating func setParameterBytes(_ count: UInt32) -> Bool {
    guard set(UInt64(count) &<< 32 | 0xffff) else { return false }
    flags.insert(.hasParameterBytes)
    return true
  }

  /// Whether `register` has a rule.
  func has(_ register: UInt16) -> Bool {
    let index = index(of: register)
    return index < words.count && UInt16(truncatingIfNeeded: words[index]) == register
  }

  /// Takes the rule of `register` away.
  mutating func remove(_ register: UInt16) {
    let index = index(of: register)
    guard index < words.count, UInt16(truncatingIfNeeded: words[index]) == register else { return }
    for next in index..<(words.count &- 1) { words[next] = words[next &+ 1] }
    words.removeLast()
    head = head & ~0xff00 | UInt64(words.count &- 1) &<< 8
  }

  /// The index of the first rule that is for `register` or a higher one; `words.count` if none is.
  private func index(of register: UInt16) -> Int {
    var index = words.count
    while index > 1, UInt16(truncatingIfNeeded: words[index &- 1]) >= register { index &-= 1 }
    return index
  }
}
