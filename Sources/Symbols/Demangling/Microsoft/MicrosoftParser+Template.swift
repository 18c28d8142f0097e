extension MicrosoftParser {
  ///     <arguments> ::= <argument>* @
  mutating func templateArguments() throws(NameRefusal) -> List {
    let mark = self.mark
    while !take("@") {
      // The ends of packs, which print nothing.
      if takeWord("$S") || takeWord("$$V") || takeWord("$$$V") || takeWord("$$Z") { continue }
      append(try templateArgument())
    }
    return list(from: mark)
  }

  ///     <argument> ::= <type>
  ///                ::= $$Y <qualified name>             # a template or an alias of one
  ///                ::= $$B <type>                       # an array
  ///                ::= $$C <qualifiers> <type>
  ///                ::= $0 <number>
  ///                ::= $1 [<symbol>]                    # an address
  ///                ::= $H | $I | $J <symbol> <number>+  # a member, with multiple inheritance ...
  ///                ::= $F | $G <number>+                # a data member
  ///                ::= $E <symbol>                      # a reference
  ///                ::= $B | $2 | $3 ...                 # see <value>
  ///                ::= $M <type> <argument without $>   # a parameter declared `auto`
  private mutating func templateArgument() throws(NameRefusal) -> ID {
    if takeWord("$$Y") { return try qualifiedTypeName() }
    if takeWord("$$B") { return try type() }
    if takeWord("$$C") { return try qualifiedType() }
    if isNext("$E?") {
      position += 2
      return add(.address(of: try symbol(), isPointer: false, offsets: .empty))
    }
    let start = position
    let isDeduced = takeWord("$M")
    if isDeduced {
      _ = try type()
      if isNext("$E?") || isNext("E?") {
        _ = take("$")
        position += 1
        return add(.address(of: try symbol(), isPointer: false, offsets: .empty))
      }
    }
    if isDeduced || take("$") {
      let code = Unicode.Scalar(next)
      switch code {
      case "0":
        position += 1
        let (value, isNegative) = try number()
        return add(.number(value, isNegative: isNegative))
      case "1", "H", "I", "J":
        position += 1
        let symbol = next == UInt8(ascii: "?") ? try symbol() : .none
        let count = code == "1" ? 0 : code == "H" ? 1 : code == "I" ? 2 : 3
        return add(.address(of: symbol, isPointer: true, offsets: try offsets(count)))
      case "F", "G":
        position += 1
        return add(
          .address(of: .none, isPointer: false, offsets: try offsets(code == "F" ? 2 : 3)))
      case "B", "2", "3": return try value()
      default: break
      }
    }
    if !isDeduced { position = start }
    return try type()
  }

  /// A value of floating point, or of a class or an array. LLVM does not know these.
  ///
  ///     <value>   ::= 0 <number>
  ///               ::= B <number>                 # the bits of a float or double
  ///               ::= 2 <class> <element>* @
  ///               ::= 3 <type> (<element> @)* @
  ///     <element> ::= <value> | <type> <value>
  private mutating func value() throws(NameRefusal) -> ID {
    try enter()
    defer { leave() }
    switch Unicode.Scalar(try letter()) {
    case "0":
      let (value, isNegative) = try number()
      return add(.number(value, isNegative: isNegative))
    case "1":
      let symbol = next == UInt8(ascii: "?") ? try symbol() : .none
      return add(.address(of: symbol, isPointer: true, offsets: .empty))
    case "B": return add(.float(bits: try unsigned()))
    case "2":
      let type = try type()
      let mark = self.mark
      while !take("@") { append(try valueElement()) }
      return add(.aggregate(type, list(from: mark)))
    case "3":
      _ = try type()
      let mark = self.mark
      while !take("@") {
        append(try valueElement())
        try expect("@")
      }
      return add(.aggregate(.none, list(from: mark)))
    default: throw .damaged
    }
  }

  private mutating func valueElement() throws(NameRefusal) -> ID {
    if !Self.isDigit(next) { _ = try type() }
    return try value()
  }

  private mutating func offsets(_ count: Int) throws(NameRefusal) -> List {
    let mark = self.mark
    for _ in 0..<count {
      let value = try signed()
      append(add(.number(value.magnitude, isNegative: value < 0)))
    }
    return list(from: mark)
  }
}
