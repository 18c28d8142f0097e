internal import Bytes
internal import Identifiers

/// A frame of a kernel's stack as the architectures print it.
///      [<ffffffff8100c291>] ? do_syscall_64+0x1b1/0x800 [module 0123ab]     x86 before 4.10, MIPS, ...
///      do_syscall_64+0x1b1/0x800 [module]                                   x86 and arm64
///      [<c0014558>] (show_stack) from [<c059798c>] (dump_stack+0x7c/0xc8)   arm
///      show_stack from dump_stack+0x7c/0xc8                                 arm since 5.18
///     [c000000010f930b0] [c000000008068df8] .f+0x278/0x390 (unreliable)     powerpc: frame, address
///     ([<000003ff8086d036>] f+0x36/0x1000 [module])                         s390
///     #8 [<0x0000000000811511>] f+0xa1/0xd0                                 the kernel as a library (LKL)
///      f+0x1b1/0x800 fs/read.c:12                                           with lines added by syzkaller,
///      [< inline >] f fs/read.c:12                                          inlined calls
///      f fs/read.c:12 [inline]
///      f (fs/read.c:12 (discriminator 1)) module                            of decode_stacktrace.sh
///
/// Sources: `printk_stack_address` of each architecture, `kallsyms.c` (`%pS`, `%pBb`).
struct KernelFrameLine {
  var function: String?
  var offset: UInt64?
  var size: UInt64?
  var address: UInt64?
  /// The number of digits of the printed address.
  var addressDigits = 0
  var module: String?
  var buildID: String?
  var file: String?
  var line: Int?
  var isInlined = false
  var isUnreliable = false
  /// The callee of this frame's function, if the line names both.
  var callee: String?

  /// - Parameter line: The line without the kernel's prefix and surrounding blanks.
  init?(_ line: RawSpan) {
    guard line.byteCount > 2, line.byteCount < 2048 else { return nil }
    var text = line
    if text.byte(0) == UInt8(ascii: "(") { text = text.from(1) }
    var index = 0
    // One address or two.
    for _ in 0..<2 {
      guard let next = readAddress(text, at: index) else { break }
      index = text.skippingBlanks(from: next)
    }
    let hadAddress = index > 0
    if text.byteOrZero(index) == UInt8(ascii: "?") {
      isUnreliable = true
      index = text.skippingBlanks(from: index + 1)
    }
    var rest = text.from(index)
    if let from = rest.find(" from ") {
      let before = rest.upTo(from)
      guard let name = Self.name(in: before) else { return nil }
      callee = name
      rest = rest.from(from + 6)
      addressDigits = 0
      address = nil
      if let next = readAddress(rest, at: 0) { rest = rest.from(rest.skippingBlanks(from: next)) }
    }
    if rest.byteOrZero(0) == UInt8(ascii: "(") { rest = rest.from(1) }
    guard readFunction(rest, hadAddress: hadAddress) else { return nil }
  }

  /// The end of `[<ffffffff8100c291>]`, `[c000000010f930b0]`, `[<     inline     >]`, `[<(ptrval)>]`.
  private mutating func readAddress(_ text: RawSpan, at start: Int) -> Int? {
    guard text.byteOrZero(start) == UInt8(ascii: "[") else { return nil }
    var index = start + 1
    let isAngled = text.byteOrZero(index) == UInt8(ascii: "<")
    if isAngled { index += 1 }
    index = text.skippingBlanks(from: index)
    if text.has("0x", at: index) { index += 2 }
    let first = index
    if let value = text.hexadecimalDigits(at: &index), index - first >= 6 {
      address = value
      addressDigits = index - first
    } else if isAngled, let close = text.upTo(start + 40).find(UInt8(ascii: ">"), from: first) {
      let word = text.part(first..<close)
      isInlined = isInlined || word.has("inline")
      guard word.has("inline") || word.has("none") || word.has("(") || word.has("_") else {
        return nil
      }
      index = close
    } else {
      return nil
    }
    if isAngled {
      guard text.byteOrZero(index) == UInt8(ascii: ">") else { return nil }
      index += 1
    }
    guard text.byteOrZero(index) == UInt8(ascii: "]") else { return nil }
    return index + 1
  }

  private static func isName(_ byte: UInt8) -> Bool {
    byte.isLetter || byte.isDigit || byte == UInt8(ascii: "_") || byte == UInt8(ascii: ".")
      || byte == UInt8(ascii: "$")
  }

  /// The name at the start of `text`, after an opening bracket.
  private static func name(in text: RawSpan) -> String? {
    var start = text.byteOrZero(0) == UInt8(ascii: "(") ? 1 : 0
    let first = start
    while isName(text.byteOrZero(start)) { start += 1 }
    guard start > first, !text.byte(first).isDigit else { return nil }
    return text.part(first..<start).name
  }

  private mutating func readFunction(_ text: RawSpan, hadAddress: Bool) -> Bool {
    var end = 0
    // `:module:f+0x1/0x2` of kernels before 2.6.24
    if text.byteOrZero(0) == UInt8(ascii: ":"), let close = text.find(UInt8(ascii: ":"), from: 1),
      close < 64
    {
      module = text.part(1..<close).name
      return readFunction(text.from(close + 1), hadAddress: hadAddress)
    }
    if text.has("0x") {
      // No function is known there.
      var index = 0
      guard let value = text.hexadecimal(at: &index), index >= 10,
        hadAddress || text.from(index).trimmed.byteCount < 80
      else { return false }
      if address == nil { (address, addressDigits) = (value, index - 2) }
      readModule(text.from(index))
      return hadAddress || text.from(index).trimmed.byteCount == 0 || module != nil
        || text.from(index).contains("(unreliable)")
    }
    while Self.isName(text.byteOrZero(end)) { end += 1 }
    guard end > 0, end < 512, !text.byte(0).isDigit else { return false }
    var name = text.upTo(end)
    // powerpc's descriptors: `.f` is the code.
    if name.byte(0) == UInt8(ascii: "."), name.byteCount > 1 { name = name.from(1) }
    var rest = text.from(end)
    if rest.has("+0x") {
      var index = 1
      guard let offset = rest.hexadecimal(at: &index), rest.byteOrZero(index) == UInt8(ascii: "/")
      else { return false }
      index += 1
      guard let size = rest.hexadecimal(at: &index) else { return false }
      (self.offset, self.size) = (offset, size)
      rest = rest.from(index)
      if rest.byteCount > 0, !rest.byte(0).isBlank, rest.byte(0) != UInt8(ascii: ")") {
        return false
      }
      function = name.name
      readAfter(rest.trimmed)
      return true
    }
    guard readLocation(rest.trimmed) || callee != nil && rest.byteOrZero(0) == UInt8(ascii: ")")
    else { return false }
    function = name.name
    return true
  }

  /// Reads the text after `f+0x1/0x2`: a module, a file and line, or `inlined f2 FILE:LINE` before it.
  private mutating func readAfter(_ text: RawSpan) {
    if text.contains("(unreliable)") { isUnreliable = true }
    readModule(text)
    var rest = text
    if rest.has("["), let close = rest.find("] ") { rest = rest.from(close + 2) }
    if isInlined, let name = Self.name(in: rest), rest.from(name.utf8.count).has(" ") {
      // `[< inlined >] ? f+0x1/0x2 g FILE:LINE`: g was inlined into f.
      function = name
      (offset, size) = (nil, nil)
      rest = rest.from(name.utf8.count + 1)
    }
    readFile(rest)
  }

  /// ` FILE:LINE [inline]`, ` (FILE:LINE (discriminator 1)) module`.
  private mutating func readLocation(_ text: RawSpan) -> Bool {
    if text.byteOrZero(0) == UInt8(ascii: "(") {
      let inner = text.from(1)
      var end = inner.find(UInt8(ascii: ")")) ?? inner.byteCount
      if let blank = inner.find(" ("), blank < end { end = blank }
      readFile(inner.upTo(end))
      // `(??:?)`, if the script found nothing.
      guard line != nil || inner.has("??:?") else { return false }
      if let close = text.findLast(UInt8(ascii: ")")) {
        let after = text.from(close + 1).trimmed
        if after.byteCount > 0, let name = Self.name(in: after) { module = name }
      }
      readModule(text)
      return true
    }
    readFile(text)
    if text.contains("[inline]") { isInlined = true }
    return line != nil && (isInlined || address != nil)
  }

  private mutating func readFile(_ text: RawSpan) {
    let end = text.find(32) ?? text.byteCount
    let location = SourceLocation(text.upTo(end))
    guard location.hasNumber, let file = location.file, let number = location.line else { return }
    (self.file, line) = (file, number)
  }

  /// `[module]`, `[module 0123ab...]`: the build id follows if the kernel is configured to print it.
  private mutating func readModule(_ text: RawSpan) {
    var from = 0
    while let open = text.find(UInt8(ascii: "["), from: from) {
      from = open + 1
      guard let close = text.find(UInt8(ascii: "]"), from: open) else { return }
      let words = text.part((open + 1)..<close).name.split(separator: " ")
      guard let name = words.first, words.count <= 2, name != "inline",
        name.utf8.allSatisfy({ Self.isName($0) || $0 == UInt8(ascii: "-") })
      else { continue }
      module = String(name)
      if words.count == 2, words[1].utf8.count >= 8, CodeID(String(words[1])) != nil {
        buildID = String(words[1])
      }
      return
    }
  }
}
