/// A line of input as for llvm-symbolizer: `[CODE|DATA|FRAME] [FILE] ADDRESS`, the file also as `FILE:name`
/// and `BUILDID:digits`, and in place of the address `symbol` or `symbol+offset`.
///
/// Source: LLVM, "llvm-symbolizer", and the source of that tool.
package struct SymbolizerLine {
  package enum Kind {
    case code, data, frame
  }

  package enum Target {
    case address(UInt64)
    case symbol(String, offset: UInt64)
  }

  /// The reason why a line is invalid.
  package struct Refusal: Error {
    package let reason: String
    /// The file that it names, as far as it was read.
    package let module: String

    package init(reason: String, module: String) {
      self.reason = reason
      self.module = module
    }
  }

  package let kind: Kind
  package let module: LookUpLine.Module
  package let target: Target
  /// The address or symbol as it was written.
  package let word: ArraySlice<UInt8>

  /// - Parameters:
  ///   - object: The file of all lines, where the command line names one.
  ///   - reading: How addresses are read.
  package init(
    _ line: ArraySlice<UInt8>, object: LookUpLine.Module?, reading: AddressText.Reading
  ) throws(Refusal) {
    var rest = line
    if LookUpLine.take("DATA ", from: &rest) {
      kind = .data
    } else if LookUpLine.take("FRAME ", from: &rest) {
      kind = .frame
    } else {
      kind = .code
      _ = LookUpLine.take("CODE ", from: &rest)
    }
    LookUpLine.skipBlanks(&rest)
    module = try Self.module(&rest, object: object)
    LookUpLine.skipBlanks(&rest)
    word = rest.prefix { !LookUpLine.isBlank($0) }
    guard let first = word.first else {
      throw Refusal(
        reason: "no module offset has been specified", module: line.isEmpty ? "" : module.name)
    }
    if let address = AddressText.parse(word, as: reading) {
      target = .address(address)
      return
    }
    guard !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else {
      throw Refusal(reason: "expected a number as module offset", module: module.name)
    }
    target = Self.symbol(word)
  }

  private static func module(
    _ rest: inout ArraySlice<UInt8>, object: LookUpLine.Module?
  ) throws(Refusal) -> LookUpLine.Module {
    let isBuildID = LookUpLine.take("BUILDID:", from: &rest)
    let isFile = !isBuildID && LookUpLine.take("FILE:", from: &rest)
    LookUpLine.skipBlanks(&rest)
    let known = object?.name ?? ""
    if isBuildID || isFile {
      let other: [UInt8] = Array((isFile ? "BUILDID:" : "FILE:").utf8)
      let same: [UInt8] = Array((isFile ? "FILE:" : "BUILDID:").utf8)
      guard !rest.starts(with: other), !rest.starts(with: same) else {
        throw Refusal(
          reason: "duplicate input file specification prefix", module: known)
      }
      guard !rest.isEmpty else {
        throw Refusal(
          reason: "must be followed by " + (isFile ? "an input file" : "a hash"), module: known)
      }
      guard object == nil else {
        throw Refusal(reason: "input file has already been specified", module: known)
      }
    } else if let object {
      return object
    }
    guard let word = LookUpLine.word(from: &rest), !word.isEmpty else {
      let reason =
        isBuildID || isFile
        ? "unbalanced quotes in input file name" : "no input filename has been specified"
      throw Refusal(reason: reason, module: known)
    }
    let name = String(decoding: word, as: UTF8.self)
    guard isBuildID else { return .path(name) }
    let isHexadecimal =
      word.count % 2 == 0
      && AddressText.parse(word.prefix(16), as: .hexadecimal) != nil
      && word.allSatisfy { AddressText.parse([$0], as: .hexadecimal) != nil }
    guard isHexadecimal else { throw Refusal(reason: "wrong format of build-id", module: known) }
    return .buildID(name)
  }

  private static func symbol(_ word: ArraySlice<UInt8>) -> Target {
    if let plus = word.lastIndex(of: UInt8(ascii: "+")), plus > word.startIndex,
      let offset = AddressText.parse(word[(plus + 1)...], as: .literal)
    {
      return .symbol(String(decoding: word[..<plus], as: UTF8.self), offset: offset)
    }
    return .symbol(String(decoding: word, as: UTF8.self), offset: 0)
  }
}
