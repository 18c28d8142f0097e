internal import Bytes
internal import Rendering
package import SymbolCache

/// Answers as text.
extension LookUpPrinter {
  /// - Parameters:
  ///   - address: `nil` where it cannot be read, or is that of a symbol.
  ///   - word: The text of the request.
  package mutating func writeText(_ address: UInt64?, _ word: ArraySlice<UInt8>) {
    if form.style == .atos { return writeAtos(address, word) }
    if form.hasAddresses { writeAddress(address, word) }
    writeFrames()
    endText()
  }

  /// Ends an answer.
  package mutating func endText() {
    if form.style == .llvm { output.append(UInt8(ascii: "\n")) }
  }

  package mutating func writeFrames() {
    for index in shown { write(frame(index), isCaller: index > shown.lowerBound) }
    guard frames.isEmpty else { return }
    if form.style == .binutils {
      if form.hasNames { output.append(form.isPretty ? "?? " : "??\n") }
      output.append("??:0\n")
    } else {
      write(CacheFrame(), isCaller: false)
    }
  }

  package mutating func writeAddress(_ address: UInt64?, _ word: ArraySlice<UInt8>) {
    if let address {
      output.append("0x")
      let digits = max((67 - address.leadingZeroBitCount) / 4, 1)
      for _ in 0..<max(form.addressDigits - digits, 0) { output.append(UInt8(ascii: "0")) }
      output.append(hexadecimal: address)
    } else {
      output.append(String(decoding: word, as: UTF8.self).printable)
    }
    output.append(form.isPretty ? ": " : "\n")
  }

  /// Writes a frame: its name, and its location on the same line where the form is pretty.
  ///
  /// - Parameter isCaller: Whether the frame before it was inlined into it.
  package mutating func write(_ frame: CacheFrame, isCaller: Bool) {
    if isCaller, form.isPretty, form.hasNames || form.style == .binutils {
      output.append(" (inlined by) ")
    }
    if form.hasNames {
      writeName(of: frame)
      if form.hasLocations { output.append(form.isPretty ? " at " : "\n") }
    }
    if form.isVerbose {
      writeFacts(of: frame)
    } else if form.hasLocations {
      writeLocation(frame)
    } else if form.hasNames || form.isPretty {
      output.append(UInt8(ascii: "\n"))
    }
  }

  private mutating func writeLocation(_ frame: CacheFrame) {
    if frame.file.isEmpty { output.append("??") } else { writePath(frame.file) }
    output.append(UInt8(ascii: ":"))
    if form.style == .binutils, frame.line == 0 {
      output.append(UInt8(ascii: "?"))
    } else {
      output.append(decimal: frame.line)
    }
    if form.style == .llvm {
      output.append(UInt8(ascii: ":"))
      output.append(decimal: frame.column)
    }
    output.append(UInt8(ascii: "\n"))
    if let excerpt = excerpt(of: frame) {
      // A tab only moves the text after it, and the line is shown as it is.
      output.append(
        excerpt.numbered(marking: Int(frame.line)) { line in
          line.split(separator: "\t", omittingEmptySubsequences: false)
            .map { String($0).printable }.joined(separator: "\t")
        })
    }
  }

  /// Writes a line for each known fact, as llvm-symbolizer does with `--verbose`.
  private mutating func writeFacts(of frame: CacheFrame) {
    output.append("  Filename: ")
    if frame.file.isEmpty { output.append("??") } else { writePath(frame.file) }
    output.append(UInt8(ascii: "\n"))
    if frame.declarationLine > 0 {
      output.append("  Function start filename: ")
      writePath(frame.declarationFile)
      output.append("\n  Function start line: ")
      output.append(decimal: frame.declarationLine)
      output.append(UInt8(ascii: "\n"))
    }
    if form.style == .llvm, frame.functionStart != .max {
      output.append("  Function start address: 0x")
      output.append(hexadecimal: base &+ UInt64(frame.functionStart))
      output.append(UInt8(ascii: "\n"))
    }
    output.append("  Line: ")
    output.append(decimal: frame.line)
    output.append("\n  Column: ")
    output.append(decimal: frame.column)
    output.append(UInt8(ascii: "\n"))
  }

  // MARK: atos

  /// Writes `function (in Image) (File.swift:12)`, or `function (in Image) + 20` without a line; for an
  /// unknown address, the address as it was given. With inlined calls an empty line ends the answer.
  ///
  /// Source: the output of Apple's atos according to its manual, and to the parser in the sanitizers' runtime
  /// (compiler-rt, `sanitizer_symbolizer_mac.cpp`).
  private mutating func writeAtos(_ address: UInt64?, _ word: ArraySlice<UInt8>) {
    if let address, let outermost = frames.last, !outermost.name.isEmpty {
      for index in shown {
        if index > shown.lowerBound { output.append(form.delimiter) }
        writeAtos(frames[index], at: address)
      }
    } else {
      output.append(String(decoding: word, as: UTF8.self).printable)
    }
    output.append(form.hasInlines ? "\n\n" : "\n")
  }

  private mutating func writeAtos(_ frame: CacheFrame, at address: UInt64) {
    writeName(of: frame)
    output.append(" (in ")
    output.append(form.image.printable)
    output.append(UInt8(ascii: ")"))
    if !frame.file.isEmpty {
      output.append(" (")
      writePath(frame.file)
      output.append(UInt8(ascii: ":"))
      output.append(decimal: frame.line)
      output.append(UInt8(ascii: ")"))
    } else if frame.functionStart != .max {
      output.append(" + ")
      output.append(String(address &- base &- UInt64(frame.functionStart)))
    }
  }
}
