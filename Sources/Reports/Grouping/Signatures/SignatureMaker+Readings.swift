internal import CrashModel

extension SignatureMaker {
  /// Replaces a method that a test runner calls by its class: the test is at fault, or shows a fault that
  /// each test of the class shows.
  func noteTests(_ frames: inout [ClassifiedFrame], keeping parts: KeptParts) {
    for index in frames.indices where frames[index].frameClass == .base {
      guard let rule = frames[index].spelling.testRule else { continue }
      let method = frames[..<index].lastIndex { $0.frameClass != .glue && $0.frameClass != .void }
      guard let method, frames[method].frameClass == .app, frames[method].isNamed else {
        continue
      }
      frames[method].nameForClass(by: rule, keeping: parts)
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
    guard let caller = position.map({ frames[$0] }), caller.frameClass == .app, caller.isNamed,
      function.isNamed,
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
    let utf8 = file.utf8
    let bytes = utf8.span
    var letters: UInt64 = 0
    var index = bytes.count
    while index > 0, bytes.count - index < 5 {
      index -= 1
      if bytes[index] == UInt8(ascii: ".") { return nativeEndings.contains(letters) }
      letters |= UInt64(bytes[index]) << UInt64(8 * (bytes.count - index - 1))
    }
    return false
  }

  private static let nativeEndings = Set(
    [
      "c", "cc", "cpp", "cxx", "C", "h", "hh", "hpp", "hxx", "inc", "inl", "y", "l", "m", "mm",
    ].map { $0.utf8.reduce(UInt64(0)) { $0 << 8 | UInt64($1) } })

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
