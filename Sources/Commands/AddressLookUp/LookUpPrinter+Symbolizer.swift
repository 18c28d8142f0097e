internal import Bytes
internal import JSON
internal import SymbolCache
package import Terminal

/// Answers to inputs of llvm-symbolizer other than addresses.
extension LookUpPrinter {
  /// - Parameters:
  ///   - word: The address as it was written.
  ///   - ending: The text after the answer in JSON.
  package mutating func answer(
    _ address: UInt64, _ word: ArraySlice<UInt8>, ending: StaticString, to console: Console
  ) throws {
    lookUp(address)
    if form.isJSON { writeJSON(address, word) } else { writeText(address, word) }
    try end(ending, to: console)
  }

  /// Gives an empty answer: no function, file or line.
  package mutating func answerNothing(ending: StaticString, to console: Console) throws {
    if form.isJSON {
      output.append(UInt8(ascii: "{"))
      output.append(Array(module.dropFirst()))
      output.append(",\"Symbol\":[")
      writeSymbol(CacheFrame())
      output.append("]}")
    } else {
      lookUp(nil)
      writeFrames()
      endText()
    }
    try end(ending, to: console)
  }

  /// Gives an empty answer to a request for data or for the variables of a frame.
  package mutating func answerNothing(
    of kind: SymbolizerLine.Kind, _ address: UInt64?, _ word: ArraySlice<UInt8>,
    ending: StaticString, to console: Console
  ) throws {
    if form.isJSON {
      beginObject(address)
      output.append(
        kind == .data
          ? "\"Data\":{\"Name\":\"\",\"Size\":\"0x0\",\"Start\":\"0x0\"}" : "\"Frame\":[]")
      endObject(symbol: address == nil ? String(decoding: word, as: UTF8.self) : nil)
    } else {
      if form.hasAddresses, let address { writeAddress(address, word) }
      output.append(kind == .data ? "??\n0 0\n??:?\n" : "??\n")
      endText()
    }
    try end(ending, to: console)
  }

  /// Answers a symbol: the location of each function of that name that has a file, without inlined calls.
  package mutating func answer(
    symbol: String, at addresses: [UInt64], ending: StaticString, to console: Console
  ) throws {
    var found: [CacheFrame] = []
    for address in addresses {
      lookUp(address)
      guard !frames.isEmpty else { continue }
      let frame = form.names == .short ? frames[0] : placed(0)
      if !frame.file.isEmpty { found.append(frame) }
    }
    if form.isJSON {
      output.append("{\"Loc\":[")
      for (index, frame) in found.enumerated() {
        if index > 0 { output.append(UInt8(ascii: ",")) }
        writeSymbol(frame)
      }
      output.append(UInt8(ascii: "]"))
      endObject(symbol: symbol)
    } else {
      for frame in found.isEmpty ? [CacheFrame()] : found {
        write(frame, isCaller: false)
        endText()
      }
    }
    try end(ending, to: console)
  }

  private mutating func beginObject(_ address: UInt64?) {
    output.append(UInt8(ascii: "{"))
    guard let address else { return }
    output.append("\"Address\":\"0x")
    output.append(hexadecimal: address)
    output.append("\",")
  }

  /// Ends an object with the file, and with the requested symbol in place of an address.
  private mutating func endObject(symbol: String?) {
    output.append(module)
    if let symbol {
      var writer = JSONWriter()
      writer.string(symbol)
      output.append(",\"SymName\":")
      output.append(writer.bytes)
    }
    output.append(UInt8(ascii: "}"))
  }
}
