/// The facts in a name about its function.
struct ItaniumNameState {
  /// A constructor, a destructor or a conversion, which has no return type.
  var hasNoResult = false
  var endsWithTemplateArguments = false
  var hasExplicitObject = false
  var qualifiers: ItaniumQualifiers = []
  var forwards: Int
}

extension ItaniumParser {
  /// The whole name. The suffix of optimisers is left: it starts with a full stop.
  ///
  ///     <mangled-name> ::= _Z <encoding> [. <suffix>]
  ///                    ::= ___Z <encoding> _block_invoke [<number>] [. <suffix>]
  ///                    ::= ___Z <encoding> _block_invoke_ <number> [. <suffix>]
  ///
  /// The second and third are Clang's, for the body of a block.
  mutating func mangledName() throws(NameRefusal) -> ID {
    let isBlock: Bool
    if takeWord("_Z") {
      isBlock = false
    } else if takeWord("___Z") {
      isBlock = true
    } else {
      throw .damaged
    }
    let encoding = try encoding()
    guard isBlock else {
      guard isAtSuffix else { throw .damaged }
      return encoding
    }
    guard takeWord("_block_invoke") else { throw .damaged }
    let needsNumber = take("_")
    guard number().count > 0 || !needsNumber, isAtSuffix else { throw .damaged }
    // LLVM's tools leave the suffix of a block out.
    position = end
    return add(.special(.block, encoding))
  }

  /// A function with its type, a variable, or something the compiler made.
  ///
  ///     <encoding> ::= <function name> <bare-function-type>
  ///                ::= <data name>
  ///                ::= <special-name>
  ///     <bare-function-type> ::= <signature type>+
  ///
  /// A requires-clause (`Q <constraint-expression>`) may follow the type, and Clang writes the
  /// arguments of `enable_if` before it: `Ua9enable_ifI <template-arg>+ E`.
  mutating func encoding() throws(NameRefusal) -> ID {
    try enter()
    let scopes = templates.begin()
    defer {
      templates.end(scopes)
      leave()
    }
    if next == UInt8(ascii: "G") || next == UInt8(ascii: "T") { return try specialName() }
    var state = ItaniumNameState(forwards: forwards.count)
    let name = try name(&state)
    try resolveForwards(from: state.forwards)
    if endsEncoding { return name }
    var function = ItaniumFunction(name: name, qualifiers: state.qualifiers)
    if takeWord("Ua9enable_ifI") {
      let mark = mark
      while !take("E") { append(try templateArgument()) }
      function.conditions = list(from: mark)
    }
    if !state.hasNoResult, state.endsWithTemplateArguments { function.result = try type() }
    if !take("v") {
      let mark = mark
      repeat {
        var parameter = try type()
        if self.mark == mark, state.hasExplicitObject {
          parameter = add(.explicitObject(parameter))
        }
        append(parameter)
      } while !endsEncoding && next != UInt8(ascii: "Q")
      function.parameters = list(from: mark)
    }
    if take("Q") { function.requirement = try constraint() }
    return add(function, isType: false)
  }

  private var isAtSuffix: Bool { isAtEnd || next == UInt8(ascii: ".") }

  /// Characters that can follow an encoding; no type starts with any of these.
  private var endsEncoding: Bool {
    switch next {
    case 0, UInt8(ascii: "E"), UInt8(ascii: "."), UInt8(ascii: "_"): true
    default: false
    }
  }

  /// Gives the `T_` of a conversion operator's type the arguments that have been read since.
  private mutating func resolveForwards(from start: Int) throws(NameRefusal) {
    for index in start..<forwards.count {
      let id = forwards[index]
      guard case .forward(let parameter, _) = node(id),
        let target = templates.parameter(level: 0, index: Int(parameter))
      else { throw .damaged }
      replace(id, by: .forward(parameter: parameter, target: target))
    }
    forwards.cut(to: start)
  }

  /// Tables, thunks and what else compilers make.
  ///
  ///     <special-name> ::= TV <type>                       # virtual table
  ///                    ::= TT <type>                       # VTT
  ///                    ::= TI <type>                       # typeinfo
  ///                    ::= TS <type>                       # its name
  ///                    ::= TA <template-arg>               # object of a template parameter
  ///                    ::= TW <name>                       # thread-local wrapper
  ///                    ::= TH <name>                       # thread-local initialisation
  ///                    ::= Tc <call-offset> <call-offset> <encoding>
  ///                    ::= TC <type> <number> _ <type>     # construction vtable
  ///                    ::= T <call-offset> <encoding>
  ///                    ::= GV <name>                       # guard variable
  ///                    ::= GR <name> [<seq-id>] _          # reference temporary
  ///                    ::= GI <module-name>                # module initialiser
  ///                    ::= GTt <encoding> | GTn <encoding> # transaction clones
  private mutating func specialName() throws(NameRefusal) -> ID {
    let group = next
    let kind = byte(ahead: 1)
    position += 2
    if group == UInt8(ascii: "G") { return try specialObject(kind) }
    switch kind {
    case UInt8(ascii: "V"): return add(.special(.vtable, try type()))
    case UInt8(ascii: "T"): return add(.special(.vtt, try type()))
    case UInt8(ascii: "I"): return add(.special(.typeInfo, try type()))
    case UInt8(ascii: "S"): return add(.special(.typeInfoName, try type()))
    case UInt8(ascii: "A"): return add(.special(.templateObject, try templateArgument()))
    case UInt8(ascii: "W"): return add(.special(.threadWrapper, try name()))
    case UInt8(ascii: "H"): return add(.special(.threadInitialiser, try name()))
    case UInt8(ascii: "c"):
      try callOffset()
      try callOffset()
      return add(.special(.covariantThunk, try encoding()))
    case UInt8(ascii: "C"):
      let derived = try type()
      guard number(signed: true).count > 0 else { throw .damaged }
      try expect("_")
      return add(.constructionVTable(try type(), derived: derived))
    default:
      position -= 1
      let isVirtual = next == UInt8(ascii: "v")
      try callOffset()
      return add(.special(isVirtual ? .virtualThunk : .nonVirtualThunk, try encoding()))
    }
  }

  private mutating func specialObject(_ kind: UInt8) throws(NameRefusal) -> ID {
    switch kind {
    case UInt8(ascii: "V"): return add(.special(.guardVariable, try name()))
    case UInt8(ascii: "R"):
      let object = try name()
      let hasNumber = sequenceID() != nil
      guard take("_") || !hasNumber else { throw .damaged }
      return add(.special(.reference, object))
    case UInt8(ascii: "I"):
      guard next == UInt8(ascii: "W"), let module = try moduleNames(after: .none) else {
        throw .damaged
      }
      return add(.special(.moduleInitialiser, module))
    case UInt8(ascii: "T"):
      if take("t") { return add(.special(.transactionClone, try encoding())) }
      if take("n") { return add(.special(.nonTransactionClone, try encoding())) }
      throw .damaged
    default: throw .damaged
    }
  }

  ///     <call-offset> ::= h <number> _ | v <number> _ <number> _
  private mutating func callOffset() throws(NameRefusal) {
    if take("h") {
      guard number(signed: true).count > 0 else { throw .damaged }
    } else if take("v") {
      guard number(signed: true).count > 0 else { throw .damaged }
      try expect("_")
      guard number(signed: true).count > 0 else { throw .damaged }
    } else {
      throw .damaged
    }
    try expect("_")
  }
}
