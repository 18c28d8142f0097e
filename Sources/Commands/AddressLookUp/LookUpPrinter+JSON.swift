internal import Bytes
internal import JSON
internal import Rendering
package import SymbolCache

/// The objects of llvm-symbolizer's `--output-style=JSON`.
extension LookUpPrinter {
  package mutating func writeJSON(_ address: UInt64?, _ word: ArraySlice<UInt8>) {
    guard let address else {
      var writer = JSONWriter()
      writer.string("unable to parse arguments: " + String(decoding: word, as: UTF8.self))
      output.append("{\"Error\":{\"Message\":")
      output.append(writer.bytes)
      output.append(UInt8(ascii: "}"))
      output.append(module)
      output.append(UInt8(ascii: "}"))
      return
    }
    output.append("{\"Address\":\"0x")
    output.append(hexadecimal: address)
    output.append(UInt8(ascii: "\""))
    if let failure {
      var writer = JSONWriter()
      writer.string(failure)
      output.append(",\"Error\":{\"Message\":")
      output.append(writer.bytes)
      output.append(UInt8(ascii: "}"))
      output.append(module)
      output.append(UInt8(ascii: "}"))
      return
    }
    output.append(module)
    output.append(",\"Symbol\":[")
    for index in shown {
      if index > 0 { output.append(UInt8(ascii: ",")) }
      writeSymbol(frame(index))
    }
    if frames.isEmpty { writeSymbol(CacheFrame()) }
    output.append("]}")
  }

  package mutating func writeSymbol(_ frame: CacheFrame) {
    let hasLocation = form.hasLocations
    output.append("{\"Column\":")
    output.append(decimal: hasLocation ? frame.column : 0)
    output.append(",\"Discriminator\":0,\"FileName\":")
    if hasLocation { writePath(frame.file) } else { output.append("\"\"") }
    output.append(",\"FunctionName\":")
    if form.hasNames { writeName(of: frame) } else { output.append("\"\"") }
    output.append(",\"Line\":")
    output.append(decimal: hasLocation ? frame.line : 0)
    if let excerpt = excerpt(of: frame) {
      var writer = JSONWriter()
      writer.string(excerpt.numbered(marking: Int(frame.line)) { $0 })
      output.append(",\"Source\":")
      output.append(writer.bytes)
    }
    output.append(",\"StartAddress\":\"")
    if frame.functionStart != .max {
      output.append("0x")
      output.append(hexadecimal: base &+ UInt64(frame.functionStart))
    }
    output.append("\",\"StartFileName\":")
    if hasLocation { writePath(frame.declarationFile) } else { output.append("\"\"") }
    output.append(",\"StartLine\":")
    output.append(decimal: hasLocation ? frame.declarationLine : 0)
    output.append(UInt8(ascii: "}"))
  }
}
