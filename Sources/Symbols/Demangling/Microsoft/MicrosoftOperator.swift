/// The functions whose names are codes: `?_G` is a scalar deleting destructor.
///
/// Source: Microsoft, "Decorated names"; the codes missing there are taken from the output of `undname` and
/// LLVM.
struct MicrosoftOperator {
  /// The index in `all`.
  typealias Index = UInt8

  /// The codes are single letters or digits, in three groups.
  enum Group { case basic, underscore, doubleUnderscore }

  /// The spelling of LLVM.
  let name: StaticString
  /// The spelling of Microsoft's own tools and PDBs.
  let microsoftName: StaticString

  private init(_ name: StaticString, _ microsoftName: StaticString? = nil) {
    self.name = name
    self.microsoftName = microsoftName ?? name
  }

  /// - Returns: `nil` for a code that is not the name of a function.
  static func index(of code: UInt8, in group: Group) -> Index? {
    let offset: UInt8
    switch code {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): offset = code - UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): offset = code - UInt8(ascii: "A") + 10
    default: return nil
    }
    let index =
      switch group {
      case .basic: Int(offset)
      case .underscore: 36 + Int(offset)
      case .doubleUnderscore: 72 + Int(offset)
      }
    return all[index] == nil ? nil : Index(index)
  }

  static func named(_ index: Index) -> MicrosoftOperator? { all[Int(index)] }

  private static let all: [MicrosoftOperator?] = basic + underscore + doubleUnderscore

  /// `?2` to `?Z`. `?0`, `?1` and `?B` are constructors, destructors and conversions.
  private static let basic: [MicrosoftOperator?] =
    [nil, nil]
    + [
      "operator new", "operator delete", "operator=", "operator>>", "operator<<", "operator!",
      "operator==", "operator!=", "operator[]",
    ].map { .init($0) } + [nil]
    + [
      "operator->", "operator*", "operator++", "operator--", "operator-", "operator+", "operator&",
      "operator->*", "operator/", "operator%", "operator<", "operator<=", "operator>", "operator>=",
      "operator,", "operator()", "operator~", "operator^", "operator|", "operator&&", "operator||",
      "operator*=", "operator+=", "operator-=",
    ].map { .init($0) }

  /// `?_0` to `?_Z`. Tables, guards and strings are not functions.
  private static let underscore: [MicrosoftOperator?] =
    [
      "operator/=", "operator%=", "operator>>=", "operator<<=", "operator&=", "operator|=",
      "operator^=",
    ].map { .init($0) } + [nil, nil, nil, nil, nil, nil] + [
      .init("`vbase dtor'", "`vbase destructor'"),
      .init("`vector deleting dtor'", "`vector deleting destructor'"),
      .init("`default ctor closure'", "`default constructor closure'"),
      .init("`scalar deleting dtor'", "`scalar deleting destructor'"),
      .init("`vector ctor iterator'", "`vector constructor iterator'"),
      .init("`vector dtor iterator'", "`vector destructor iterator'"),
      .init("`vector vbase ctor iterator'", "`vector vbase constructor iterator'"),
      .init("`virtual displacement map'"),
      .init("`eh vector ctor iterator'", "`eh vector constructor iterator'"),
      .init("`eh vector dtor iterator'", "`eh vector destructor iterator'"),
      .init("`eh vector vbase ctor iterator'", "`eh vector vbase constructor iterator'"),
      .init("`copy ctor closure'", "`copy constructor closure'"),
      nil, nil, nil, nil,
      .init("`local vftable ctor closure'", "`local vftable constructor closure'"),
      .init("operator new[]"),
      .init("operator delete[]"),
      nil, nil, nil, nil,
    ]

  /// `?__A` to `?__M`.
  private static let doubleUnderscore: [MicrosoftOperator?] =
    [nil, nil, nil, nil, nil, nil, nil, nil, nil, nil] + [
      .init("`managed vector ctor iterator'", "`managed vector constructor iterator'"),
      .init("`managed vector dtor iterator'", "`managed vector destructor iterator'"),
      .init("`EH vector copy ctor iterator'", "`eh vector copy constructor iterator'"),
      .init("`EH vector vbase copy ctor iterator'", "`eh vector vbase copy constructor iterator'"),
      nil, nil,
      .init("`vector copy ctor iterator'", "`vector copy constructor iterator'"),
      .init("`vector vbase copy constructor iterator'"),
      .init("`managed vector vbase copy constructor iterator'"),
      nil, nil,
      .init("operator co_await"),
      .init("operator<=>"),
      nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil,
    ]
}
