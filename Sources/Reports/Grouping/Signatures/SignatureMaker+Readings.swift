internal import CrashModel

extension SignatureMaker {
  /// Replaces a method that a test runner calls by its class: the test is at fault, or shows a fault that
  /// each test of the class shows.
  func noteTests(_ frames: inout [ClassifiedFrame]) {
    for index in frames.indices where frames[index].frameClass == .base {
      guard let rule = frames[index].spelling.testRule else { continue }
      let method = frames[..<index].lastIndex { $0.frameClass != .glue && $0.frameClass != .void }
      guard let method, frames[method].frameClass == .app, frames[method].name != nil else {
        continue
      }
      frames[method].nameForClass(by: rule)
    }
  }

  /// The tokens of the same crash in a build whose compiler inlined the function into its caller without a
  /// record. Compilers do so with functions that only their class or source file calls.
  func tokensOfCaller(
    _ walk: SignatureWalk, _ frames: [ClassifiedFrame], _ stack: CrashCategoryDecision.Stack
  ) -> [String]? {
    // If one inlined call is recorded, all are.
    guard let last = walk.lastApp, walk.location == nil,
      frames[...].firstPosition(where: { $0.isInlined }) == nil,
      let index = frames[...].firstPosition(where: { $0.index == last })
    else { return nil }
    let function = frames[index]
    guard function.frameClass == .app else { return nil }
    let position = frames[(index + 1)...].firstPosition {
      $0.frameClass != .glue && $0.frameClass != .void && $0.hash != function.hash
    }
    guard let caller = position.map({ frames[$0] }), caller.frameClass == .app, caller.name != nil,
      function.name != nil,
      Self.shareScope(function, caller, stack)
    else { return nil }
    return walk.tokens.dropLast() + [caller.token]
  }

  private static func shareScope(
    _ function: ClassifiedFrame, _ caller: ClassifiedFrame, _ stack: CrashCategoryDecision.Stack
  ) -> Bool {
    let files = [stack[function.index].file, stack[caller.index].file]
    for file in files {
      // Managed languages record every call.
      if let file, !isNative(file) { return false }
    }
    if let file = files[0], file == files[1] { return true }
    guard let scope = scope(of: function.token) else { return false }
    return scope == Self.scope(of: caller.token)
  }

  private static func isNative(_ file: String) -> Bool {
    let ending = file.utf8.suffix(5).split(
      separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard ending.count > 1, let ending = ending.last.map({ String(Substring($0)) }) else {
      return false
    }
    return [
      "c", "cc", "cpp", "cxx", "C", "h", "hh", "hpp", "hxx", "inc", "inl", "y", "l", "m", "mm",
    ]
    .contains(ending)
  }

  /// The class or namespace of a C++ name: the text before its last `::` outside brackets.
  private static func scope(of name: String) -> Substring? {
    let bytes = Array(name.utf8)
    var depth = 0
    var index = bytes.count - 1
    while index > 0 {
      switch bytes[index] {
      case UInt8(ascii: ">"), UInt8(ascii: ")"), UInt8(ascii: "}"): depth += 1
      case UInt8(ascii: "<"), UInt8(ascii: "("), UInt8(ascii: "{"): depth -= 1
      case UInt8(ascii: ":") where depth == 0 && bytes[index - 1] == UInt8(ascii: ":"):
        return Substring(name.utf8.prefix(index - 1))
      default: break
      }
      index -= 1
    }
    return nil
  }

  /// The tokens of the same crash on a machine that has no name for the platform's function: its library
  /// instead, unless every crash passes through that.
  func tokensWithoutName(
    _ walk: SignatureWalk, _ stack: CrashCategoryDecision.Stack, _ images: inout ImageOwners
  ) -> [String]? {
    guard walk.hasApp, let first = walk.firstSystem,
      let image = stack[first].image.flatMap({ images.verdict($0) }), image.origin != .app,
      !image.isUnnamed
    else { return nil }
    let rest = Array(walk.tokens.dropFirst())
    return image.runtimeRule == nil ? [image.spelling.token] + rest : rest
  }
}
