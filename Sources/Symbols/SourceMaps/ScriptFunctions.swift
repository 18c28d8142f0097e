internal import Bytes

/// The functions of a script, named as in stack traces: `total`, `Cart.total`, `new Cart`.
///
/// Recognised by words and brackets, without a grammar: a function of unknown syntax is treated as code of
/// the function around it.
struct ScriptFunctions: Sendable {
  /// The start of a function's code, which extends to the next boundary.
  private struct Boundary: BitwiseCopyable {
    var line: UInt32
    /// In UTF-16 code units, as source maps count.
    var column: UInt32
    /// Index into the names; -1 outside functions.
    var function: Int32
  }

  private var boundaries: [Boundary] = []
  /// `nil` for a function without a name.
  private let names: [String?]

  /// - Complexity: O(n).
  init(of text: ByteView) {
    guard text.count <= SourceMapLimits.sourceBytes else {
      names = []
      return
    }
    var lexer = ScriptLexer(text.bytes)
    lexer.run()
    var parser = ScriptParser(text: text, tokens: lexer.tokens)
    parser.run()
    names = parser.names
    add(parser.boundaries, in: text)
  }

  /// Counts lines and columns up to each boundary.
  private mutating func add(_ found: [ScriptParser.Boundary], in text: ByteView) {
    let bytes = text.bytes
    var line: UInt32 = 0
    var column: UInt32 = 0
    var offset = 0
    boundaries.reserveCapacity(found.count)
    for boundary in found {
      while offset < min(boundary.offset, bytes.byteCount) {
        let byte = bytes.byte(offset)
        offset += 1
        if byte == 10 || byte == 13 && (offset >= bytes.byteCount || bytes.byte(offset) != 10) {
          line += 1
          column = 0
        } else if byte & 0xc0 != 0x80 {
          // Four bytes are two code units.
          column += byte >= 0xf0 ? 2 : 1
        }
      }
      boundaries.append(Boundary(line: line, column: column, function: boundary.function))
    }
  }

  /// The innermost function around a position, both from 0.
  func function(line: Int, column: Int) -> SourceMap.Function {
    guard !names.isEmpty || !boundaries.isEmpty else { return .topLevel }
    let next = boundaries.lowerBound { (Int($0.line), Int($0.column)) <= (line, column) }
    guard next > 0, boundaries[next - 1].function >= 0 else { return .topLevel }
    return names[Int(boundaries[next - 1].function)].map { .named($0) } ?? .anonymous
  }
}

/// Finds where functions begin and end among the tokens of a script.
struct ScriptParser {
  struct Boundary {
    /// In bytes.
    var offset: Int
    var function: Int32
  }

  private enum Opened {
    case parenthesis, bracket, block
    case classBody(String?)
    case function(Int32)
    /// The body of an arrow function without braces.
    case expression(Int32)
  }

  private struct Level {
    var kind: Opened
    /// The token that opened it.
    var token: Int
    /// The innermost function around the contents.
    var function: Int32
    /// The last pair of parentheses that was closed inside it.
    var open = -1
    var close = -1
    /// A class whose body has not begun.
    var pendingClass: String??
  }

  private let text: ByteView
  private let tokens: [ScriptToken]
  private var levels: [Level] = [Level(kind: .block, token: -1, function: -1)]
  private(set) var names: [String?] = []
  private(set) var boundaries: [Boundary] = []

  init(text: ByteView, tokens: [ScriptToken]) {
    self.text = text
    self.tokens = tokens
  }

  mutating func run() {
    for index in tokens.indices {
      guard names.count < SourceMapLimits.functions, levels.count < Self.mostLevels else { return }
      let token = tokens[index]
      endExpression(at: index, token)
      switch token.kind {
      case .value: continue
      case .hole: open(.block, index)
      case .word: if isWord(index, "class") { noteClass(index) }
      case .mark:
        if token.isArrow {
          arrow(index)
        } else {
          mark(index, token.byte)
        }
      }
    }
  }

  private mutating func mark(_ index: Int, _ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "("): open(.parenthesis, index)
    case UInt8(ascii: "["): open(.bracket, index)
    case UInt8(ascii: "{"): openBrace(index)
    case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): close(index, byte)
    case UInt8(ascii: ";"):
      levels[levels.count - 1].close = -1
      levels[levels.count - 1].pendingClass = nil
    default: return
    }
  }

  private mutating func open(_ kind: Opened, _ index: Int) {
    let function: Int32
    switch kind {
    case .function(let own), .expression(let own): function = own
    default: function = levels[levels.count - 1].function
    }
    levels.append(Level(kind: kind, token: index, function: function))
  }

  /// Closes the level that the bracket fits, and all levels left open inside it.
  private mutating func close(_ index: Int, _ byte: UInt8) {
    // Many unmatched brackets must not each search all open levels.
    let near = max(1, levels.count - Self.looseLevels)
    guard let depth = levels[near...].lastIndex(where: { Self.fits($0.kind, byte) }) else { return }
    let opened = levels[depth].token
    while levels.count > depth { pop(at: index + 1) }
    guard byte == UInt8(ascii: ")") else { return }
    levels[levels.count - 1].open = opened
    levels[levels.count - 1].close = index
  }

  /// The most levels that a bracket may close at once.
  private static let looseLevels = 64
  /// The deepest nesting of brackets.
  private static let mostLevels = 4096

  private static func fits(_ kind: Opened, _ byte: UInt8) -> Bool {
    switch kind {
    case .parenthesis: byte == UInt8(ascii: ")")
    case .bracket: byte == UInt8(ascii: "]")
    case .block, .classBody, .function: byte == UInt8(ascii: "}")
    case .expression: false
    }
  }

  private mutating func pop(at index: Int) {
    switch levels.removeLast().kind {
    case .function, .expression:
      boundaries.append(
        Boundary(offset: offset(of: index), function: levels[levels.count - 1].function))
    default: return
    }
  }

  private func offset(of index: Int) -> Int {
    guard index < tokens.count else { return text.count }
    // Right after the last token, so that white space belongs to the function around.
    guard index > 0 else { return Int(tokens[index].start) }
    return Int(tokens[index - 1].start + tokens[index - 1].count)
  }

  private mutating func begin(_ name: String?, at index: Int, hasBraces: Bool) {
    let function = Int32(names.count)
    names.append(name)
    open(hasBraces ? .function(function) : .expression(function), index)
    boundaries.append(Boundary(offset: Int(tokens[index].start), function: function))
  }

  // MARK: Arrow functions

  /// Ends the bodies of arrow functions that `token` does not belong to.
  private mutating func endExpression(at index: Int, _ token: ScriptToken) {
    while case .expression? = levels.last?.kind {
      let isEnd =
        token.kind == .mark && ",;)]}:".utf8.contains(token.byte) && !token.isArrow
        || startsStatement(index)
      // A colon may belong to a condition inside.
      if token.isMark(":"), isCondition(before: index) { return }
      guard isEnd else { return }
      pop(at: index)
    }
  }

  private func isCondition(before index: Int) -> Bool {
    let start = levels.last?.token ?? 0
    return (max(start, index - 64)..<index).contains { tokens[$0].isMark("?") }
  }

  /// Whether a statement begins here although no semicolon ended the one before.
  private func startsStatement(_ index: Int) -> Bool {
    guard index > 0, tokens[index].startsLine, tokens[index].kind == .word else { return false }
    let last = tokens[index - 1]
    switch last.kind {
    case .word, .value: return !last.isArrow
    case .mark: return ")]}".utf8.contains(last.byte)
    case .hole: return false
    }
  }

  private mutating func arrow(_ index: Int) {
    guard index + 1 < tokens.count else { return }
    let level = levels[levels.count - 1]
    var first = index - 1
    // Parameters in parentheses, perhaps followed by the result type.
    if level.close >= 0, level.close == index - 1 || isType(level.close + 1, index) {
      first = level.open
    }
    let name = inferredName(before: skippingAsync(first - 1))
    if tokens[index + 1].isMark("{") { return pendingArrow = (index + 1, name) }
    begin(name, at: index + 1, hasBraces: false)
  }

  /// The brace that begins the body of an arrow function, and the function's name.
  private var pendingArrow: (brace: Int, name: String?)?

  /// Whether tokens are the type of a function's result: `: Promise<number>`.
  private func isType(_ start: Int, _ end: Int) -> Bool {
    guard start < end, end - start <= 32, tokens[start].isMark(":") else { return false }
    return (start..<end).allSatisfy { !tokens[$0].isMark(";") && !tokens[$0].isMark("=") }
  }

  // MARK: Functions with braces

  private mutating func openBrace(_ index: Int) {
    if let pending = pendingArrow, pending.brace == index {
      pendingArrow = nil
      return begin(pending.name, at: index, hasBraces: true)
    }
    let level = levels[levels.count - 1]
    if let name = level.pendingClass {
      levels[levels.count - 1].pendingClass = nil
      return open(.classBody(name), index)
    }
    guard level.close >= 0, level.close == index - 1 || isType(level.close + 1, index) else {
      return open(.block, index)
    }
    levels[levels.count - 1].close = -1
    switch functionName(beforeParenthesis: level.open, in: level.kind) {
    case .none: open(.block, index)
    case .some(let name): begin(name, at: index, hasBraces: true)
    }
  }

  /// The name of the function whose parameters begin at a token; `.none` where the parentheses contain
  /// something else.
  private func functionName(beforeParenthesis open: Int, in kind: Opened) -> String?? {
    var last = open - 1
    // Type parameters: `total<T>(…)`.
    if last > 0, tokens[last].isMark(">") {
      while last > 0, !tokens[last].isMark("<"), open - last < 16 { last -= 1 }
      last -= 1
    }
    guard last >= 0 else { return .none }
    if isWord(last, "function") || tokens[last].isMark("*") && isWord(last - 1, "function") {
      let keyword = tokens[last].isMark("*") ? last - 1 : last
      return .some(inferredName(before: skippingAsync(keyword - 1)))
    }
    let isComputed = tokens[last].isMark("]")
    guard isComputed || tokens[last].kind == .word || tokens[last].kind == .value else {
      return .none
    }
    let before = last - 1
    if isWord(before, "function")
      || tokens.indices.contains(before) && tokens[before].isMark("*")
        && isWord(before - 1, "function")
    {
      return .some(word(last))
    }
    if isComputed { return classPrefix(kind) == nil ? .none : .some(nil) }
    let name = plain(last)
    if Self.statements.contains(name) { return .none }
    guard before >= 0, !tokens[before].isMark("."), !isWord(before, "new") else { return .none }
    // A method: preceded by other members, or by modifiers.
    let previous = tokens[before]
    let mayPrecede =
      previous.kind == .mark && "{},;*)".utf8.contains(previous.byte)
      || previous.kind == .word && Self.modifiers.contains(word(before)) || tokens[last].startsLine
    guard mayPrecede else { return .none }
    guard case .some(let owner) = classPrefix(kind) else { return .some(name) }
    guard let owner else { return .some(name) }
    return .some(name == "constructor" ? "new \(owner)" : "\(owner).\(name)")
  }

  private func classPrefix(_ kind: Opened) -> String?? {
    if case .classBody(let name) = kind { return .some(name) }
    return .none
  }

  private static let statements: Set<String> = [
    "if", "for", "while", "switch", "catch", "with", "await", "return", "super",
  ]
  private static let modifiers: Set<String> = [
    "async", "get", "set", "static", "public", "private", "protected", "override", "readonly",
    "abstract",
  ]

  // MARK: Names

  private mutating func noteClass(_ index: Int) {
    guard index == 0 || !tokens[index - 1].isMark(".") else { return }
    guard index + 1 < tokens.count, !tokens[index + 1].isMark(":"), !tokens[index + 1].isMark("=")
    else { return }
    if tokens[index + 1].kind == .word, !isWord(index + 1, "extends") {
      levels[levels.count - 1].pendingClass = .some(word(index + 1))
    } else {
      levels[levels.count - 1].pendingClass = .some(inferredName(before: index - 1))
    }
  }

  private func skippingAsync(_ index: Int) -> Int { isWord(index, "async") ? index - 1 : index }

  /// The name that an anonymous function takes from its assignment target.
  private func inferredName(before index: Int) -> String? {
    guard index > 0 else { return nil }
    let token = tokens[index]
    if token.isMark(":") {
      let isName = tokens[index - 1].kind == .word || tokens[index - 1].kind == .value
      return isName ? plain(index - 1) : nil
    }
    if isWord(index, "default") { return "default" }
    guard token.isMark("="), tokens[index - 1].kind == .word else { return nil }
    // `const total: Sum = …`
    if index >= 4, tokens[index - 2].isMark(":"), tokens[index - 3].kind == .word,
      ["const", "let", "var"].contains(word(index - 4))
    {
      return word(index - 3)
    }
    return assignedName(endingAt: index - 1)
  }

  /// `total` of `this.total`, `Cart.total` of `Cart.prototype.total`.
  private func assignedName(endingAt end: Int) -> String? {
    var parts = [word(end)]
    var index = end - 1
    while index > 0, parts.count < 4, tokens[index].isMark("."), tokens[index - 1].kind == .word {
      parts.append(word(index - 1))
      index -= 2
    }
    parts.removeAll {
      ["prototype", "this", "exports", "module", "window", "globalThis"].contains($0)
    }
    if parts.isEmpty { return nil }
    if case .classBody(let owner?)? = levels.last?.kind, parts.count == 1 {
      return "\(owner).\(parts[0])"
    }
    return parts.reversed().joined(separator: ".")
  }

  private func isWord(_ index: Int, _ wanted: StaticString) -> Bool {
    guard tokens.indices.contains(index), tokens[index].kind == .word,
      Int(tokens[index].count) == wanted.utf8CodeUnitCount
    else { return false }
    return word(index) == wanted.description
  }

  /// - Complexity: O(length).
  private func word(_ index: Int) -> String {
    guard tokens.indices.contains(index) else { return "" }
    let token = tokens[index]
    let length = min(Int(token.count), SourceMapLimits.textBytes)
    return text.clamped(Int(token.start)..<(Int(token.start) + length)).text
  }

  /// A word, or a string without its quotation marks.
  private func plain(_ index: Int) -> String {
    let name = word(index)
    guard let first = name.utf8.first, first == UInt8(ascii: "'") || first == UInt8(ascii: "\"")
    else {
      return name
    }
    return String(name.dropFirst().dropLast())
  }
}
