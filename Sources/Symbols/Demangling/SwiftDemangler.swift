internal import Glibc

/// The runtime's own demangler; a `nil` buffer makes it allocate the result.
///
/// Source: `swift_demangle` in stdlib/public/runtime/Demangle.cpp of the Swift project.
@_silgen_name("swift_demangle")
private func runtimeDemangle(
  _ name: UnsafePointer<CChar>?, _ count: Int, _ output: UnsafeMutablePointer<CChar>?,
  _ outputSize: UnsafeMutablePointer<Int>?, _ flags: UInt32
) -> UnsafeMutablePointer<CChar>?

/// Names of Swift 4 and later.
enum SwiftDemangler {
  static func demangle(_ name: UnsafeBufferPointer<UInt8>) -> String? {
    if let type = unsafe typeName(name) { return type }
    guard unsafe SwiftNameSize.bound(name) <= SwiftNameSize.limit,
      unsafe !endsInsideSpecialisation(name)
    else { return nil }
    return unsafe name.withMemoryRebound(to: CChar.self) { characters in
      guard let output = unsafe runtimeDemangle(characters.baseAddress, name.count, nil, nil, 0)
      else { return nil }
      defer { unsafe free(output) }
      let text = unsafe UnsafeBufferPointer(
        start: UnsafeRawPointer(output).assumingMemoryBound(to: UInt8.self), count: strlen(output))
      // It returns its input where it cannot demangle it.
      guard text.count <= Demangler.outputLimit, unsafe !text.elementsEqual(name) else {
        return nil
      }
      return unsafe String(decoding: text, as: UTF8.self)
    }
  }

  /// The type meant by `_TtC4main3Foo`: the name that a class has in Objective-C, mangled as in the first
  /// Swift, which the runtime's demangler leaves unchanged. A letter for each type, the innermost first, then
  /// the module and the types from the outermost on, each preceded by its length.
  ///
  /// Source: docs/ABI/OldMangling.rst of the Swift project; names of generic and private types stay
  /// unchanged.
  private static func typeName(_ name: UnsafeBufferPointer<UInt8>) -> String? {
    let prefix = "_Tt".utf8
    guard unsafe name.starts(with: prefix) else { return nil }
    var rest = unsafe name.dropFirst(prefix.count)
    var kinds = 0
    while let kind = unsafe rest.first, "CVO".utf8.contains(kind) {
      kinds += 1
      unsafe rest = rest.dropFirst()
    }
    guard kinds > 0 else { return nil }
    var parts: [String] = []
    if unsafe rest.first == UInt8(ascii: "s") {
      parts.append("Swift")
      unsafe rest = rest.dropFirst()
    }
    while let digit = unsafe rest.first, (UInt8(ascii: "1")...UInt8(ascii: "9")).contains(digit) {
      var length = 0
      while let digit = unsafe rest.first, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) {
        length = length * 10 + Int(digit - UInt8(ascii: "0"))
        guard length <= name.count else { return nil }
        unsafe rest = rest.dropFirst()
      }
      guard length <= rest.count else { return nil }
      parts.append(unsafe String(decoding: rest.prefix(length), as: UTF8.self))
      unsafe rest = rest.dropFirst(length)
    }
    return rest.isEmpty && parts.count == kinds + 1 ? parts.joined(separator: ".") : nil
  }

  /// Whether `name` ends where the value of a propagated constant should begin.
  ///
  /// There the runtime's demangler of Swift 6.3 steps back over unread input, meets the same `p` again, and
  /// goes on until memory is exhausted: `$s1a1byyFTf4p`. The list of such values is always closed by `_`, so
  /// that no complete name ends like this.
  private static func endsInsideSpecialisation(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    guard unsafe name.last == UInt8(ascii: "p") else { return false }
    return unsafe zip(name, name.dropFirst()).contains { pair in
      pair.0 == UInt8(ascii: "T") && pair.1 | 0x20 == UInt8(ascii: "f")
    }
  }
}

/// A bound on the length of the text of a Swift name, found without demangling it.
///
/// The runtime's demangler cannot be stopped, and a generic type that repeats the one before it twice costs
/// seven bytes (`ADyA2EG`) and doubles the text. So the operators are walked here: the text between `y` and
/// `G` is a generic type, `A` repeats something earlier, and the largest item seen so far is assumed for
/// whatever is repeated. No name of the standard libraries comes near the limit.
///
/// Source: docs/ABI/Mangling.rst of the Swift project.
enum SwiftNameSize {
  /// The largest bound that is accepted. The bound is rough, so this is far above the limit of the text
  /// itself and yet takes only milliseconds to print.
  static let limit = 1 << 20

  /// The deepest nesting of generic types in a name; the runtime's demangler recurses.
  static let nestingLimit = 256

  /// The most bytes that an operator prints: `owned parameter`, `Swift.Substring.` and the like.
  private static let operatorSize = 24

  /// An approximate upper bound on the bytes of the text of `name`; saturates.
  static func bound(_ name: UnsafeBufferPointer<UInt8>) -> Int {
    let limit = self.limit + 1
    // A name that starts with its module has that as its first substitution.
    let firstIsModule = unsafe name.count > 2 && isDigit(name[2])
    var open: [Int] = []
    var size = 0
    var largest = 1
    var longest = 1
    var index = 2
    while index < name.count, size < limit {
      let byte = unsafe name[index]
      index += 1
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        index -= 1
        size += unsafe identifier(name, &index, longest: &longest)
      case UInt8(ascii: "A"):
        size += unsafe references(name, &index, largest: largest, firstIsModule: firstIsModule)
      case UInt8(ascii: "y"):
        guard open.count < nestingLimit else { return limit + 1 }
        open.append(size)
        size += operatorSize
      case UInt8(ascii: "G"):
        let start = open.popLast() ?? 0
        largest = max(largest, size - start + operatorSize)
        size += operatorSize
      case UInt8(ascii: "g"), UInt8(ascii: "Q"), UInt8(ascii: "X"):
        // Optional, opaque and sugared types can be repeated too. Most wrap one type; a tuple or a function
        // includes whatever precedes it.
        let before = unsafe index > 2 ? name[index - 3] : 0
        if byte == UInt8(ascii: "g"), before != UInt8(ascii: "t"), before != UInt8(ascii: "c") {
          largest += operatorSize
        } else {
          largest = max(largest, size - (open.last ?? 0) + operatorSize)
        }
        size += operatorSize
      default: size += byte >= UInt8(ascii: "a") ? 8 : operatorSize
      }
    }
    return min(size, limit)
  }

  /// The text of an identifier: a count and that many bytes; after `0` also letters, each for a word of an
  /// earlier identifier, the last a capital.
  private static func identifier(
    _ name: UnsafeBufferPointer<UInt8>, _ index: inout Int, longest: inout Int
  ) -> Int {
    var size = 1
    var hasWords = unsafe name[index] == UInt8(ascii: "0")
    if hasWords { index += 1 }
    repeat {
      while hasWords, index < name.count, unsafe name[index] >= UInt8(ascii: "A") {
        hasWords = unsafe name[index] >= UInt8(ascii: "a")
        size += longest
        index += 1
      }
      var count = 0
      while index < name.count, unsafe isDigit(name[index]) {
        count = unsafe min(count * 10 + Int(name[index] - UInt8(ascii: "0")), name.count)
        index += 1
        if count == 0 { return size }
      }
      guard count > 0 else { return size }
      size += count
      longest = max(longest, count)
      index += count
    } while hasWords && index < name.count
    return size
  }

  /// The text of a sequence of repetitions: letters, each preceded by a count, up to a capital or `_`.
  private static func references(
    _ name: UnsafeBufferPointer<UInt8>, _ index: inout Int, largest: Int, firstIsModule: Bool
  ) -> Int {
    var size = 0
    while index < name.count, size <= limit {
      var count = 0
      while index < name.count, unsafe isDigit(name[index]) {
        count = unsafe min(count * 10 + Int(name[index] - UInt8(ascii: "0")), 4096)
        index += 1
      }
      guard index < name.count else { return size }
      let letter = unsafe name[index]
      index += 1
      let isFirst = letter | 0x20 == UInt8(ascii: "a") && firstIsModule
      size += max(count, 1) * (isFirst ? 64 : max(largest, 24))
      if letter < UInt8(ascii: "a") { return size }
    }
    return size
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }
}
