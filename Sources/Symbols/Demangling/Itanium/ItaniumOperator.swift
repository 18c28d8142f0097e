/// How tightly an expression binds, tightest first.
enum ItaniumPrecedence: UInt8 {
  case primary, postfix, unary, cast, memberPointer, multiplicative, additive, shift, spaceship
  case relational, equality, and, xor, or, andIf, orIf, conditional, assign, comma, none
}

/// An operator: the name of a function, or what an expression does.
///
/// Source: `<operator-name>` of the Itanium C++ ABI, 5.1.3.1.
struct ItaniumOperator {
  /// The index in `all`.
  typealias Index = UInt8

  /// The operands after the two letters in an expression.
  enum Form {
    case prefix, postfix, binary, subscripted, member, new, delete, call, conversion, conditional
    case namedCast, ofType, ofExpression
    /// The name of a function only.
    case nameOnly
    /// Expressions only.
    case unnamed
  }

  let code: StaticString
  let form: Form
  let precedence: ItaniumPrecedence
  /// The name of a function after `operator`, and the text of an expression.
  let symbol: StaticString

  init(_ code: StaticString, _ form: Form, _ precedence: ItaniumPrecedence, _ symbol: StaticString)
  {
    self.code = code
    self.form = form
    self.precedence = precedence
    self.symbol = symbol
  }

  /// Whether a function can have this name.
  var isNameable: Bool {
    switch form {
    case .namedCast, .ofType, .ofExpression, .unnamed: false
    case .member: symbol.utf8CodeUnitCount > 1 && symbol.utf8Start[0] == UInt8(ascii: "-")
    case .conditional: true
    default: true
    }
  }

  /// Whether the symbol is a word, which a blank divides from `operator`.
  var isWord: Bool {
    symbol.utf8Start[0] >= UInt8(ascii: "a") && symbol.utf8Start[0] <= UInt8(ascii: "z")
  }

  static let all: [ItaniumOperator] = [
    .init("aN", .binary, .assign, "&="),
    .init("aS", .binary, .assign, "="),
    .init("aa", .binary, .andIf, "&&"),
    .init("ad", .prefix, .unary, "&"),
    .init("an", .binary, .and, "&"),
    .init("at", .ofType, .unary, "alignof "),
    .init("aw", .nameOnly, .primary, "co_await"),
    .init("az", .ofExpression, .unary, "alignof "),
    .init("cc", .namedCast, .postfix, "const_cast"),
    .init("cl", .call, .postfix, "()"),
    .init("cm", .binary, .comma, ","),
    .init("co", .prefix, .unary, "~"),
    .init("cp", .call, .postfix, "()"),
    .init("cv", .conversion, .cast, ""),
    .init("dV", .binary, .assign, "/="),
    .init("da", .delete, .unary, "delete[]"),
    .init("dc", .namedCast, .postfix, "dynamic_cast"),
    .init("de", .prefix, .unary, "*"),
    .init("dl", .delete, .unary, "delete"),
    .init("ds", .member, .memberPointer, ".*"),
    .init("dt", .member, .postfix, "."),
    .init("dv", .binary, .multiplicative, "/"),
    .init("eO", .binary, .assign, "^="),
    .init("eo", .binary, .xor, "^"),
    .init("eq", .binary, .equality, "=="),
    .init("ge", .binary, .relational, ">="),
    .init("gt", .binary, .relational, ">"),
    .init("ix", .subscripted, .postfix, "[]"),
    .init("lS", .binary, .assign, "<<="),
    .init("le", .binary, .relational, "<="),
    .init("ls", .binary, .shift, "<<"),
    .init("lt", .binary, .relational, "<"),
    .init("mI", .binary, .assign, "-="),
    .init("mL", .binary, .assign, "*="),
    .init("mi", .binary, .additive, "-"),
    .init("ml", .binary, .multiplicative, "*"),
    .init("mm", .postfix, .postfix, "--"),
    .init("na", .new, .unary, "new[]"),
    .init("ne", .binary, .equality, "!="),
    .init("ng", .prefix, .unary, "-"),
    .init("nt", .prefix, .unary, "!"),
    .init("nw", .new, .unary, "new"),
    .init("oR", .binary, .assign, "|="),
    .init("oo", .binary, .orIf, "||"),
    .init("or", .binary, .or, "|"),
    .init("pL", .binary, .assign, "+="),
    .init("pl", .binary, .additive, "+"),
    .init("pm", .member, .memberPointer, "->*"),
    .init("pp", .postfix, .postfix, "++"),
    .init("ps", .prefix, .unary, "+"),
    .init("pt", .member, .postfix, "->"),
    .init("qu", .conditional, .conditional, "?"),
    .init("rM", .binary, .assign, "%="),
    .init("rS", .binary, .assign, ">>="),
    .init("rc", .namedCast, .postfix, "reinterpret_cast"),
    .init("rm", .binary, .multiplicative, "%"),
    .init("rs", .binary, .shift, ">>"),
    .init("sc", .namedCast, .postfix, "static_cast"),
    .init("ss", .binary, .spaceship, "<=>"),
    .init("st", .ofType, .unary, "sizeof "),
    .init("sz", .ofExpression, .unary, "sizeof "),
    .init("te", .ofExpression, .postfix, "typeid "),
    .init("ti", .ofType, .postfix, "typeid "),
  ]

  private static let none: Index = 0xFF

  /// For each pair of a lower-case letter and a letter, the operator with that code.
  private static let byCode: [Index] = {
    var table = [Index](repeating: none, count: 26 * 128)
    for (index, one) in all.enumerated() {
      let first = Int(one.code.utf8Start[0] - UInt8(ascii: "a"))
      table[first * 128 + Int(one.code.utf8Start[1])] = Index(index)
    }
    return table
  }()

  /// The operator that two letters stand for.
  static func index(_ first: UInt8, _ second: UInt8) -> Index? {
    guard first >= UInt8(ascii: "a"), first <= UInt8(ascii: "z"), second < 128 else { return nil }
    let index = byCode[Int(first - UInt8(ascii: "a")) * 128 + Int(second)]
    return index == none ? nil : index
  }
}
