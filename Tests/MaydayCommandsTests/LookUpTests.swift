import TestSupport
import Testing

@testable import MaydayCommands

@Suite("lookup")
struct LookUpTests {
  @Test(
    "Addresses are read as they are written in reports",
    arguments: [
      ("0x10", 16), ("0X1f", 31), ("10", 10), ("1f", 31), ("ffffffffffffffff", .max), ("0", 0),
      ("18446744073709551615", .max), ("10000000000000000", 10_000_000_000_000_000),
      ("", nil), ("0x", nil), ("x", nil), ("-1", nil), ("0x10000000000000000", nil), ("1 2", nil),
    ] as [(String, UInt64?)])
  func addresses(text: String, value: UInt64?) {
    #expect(AddressText.parse(Array(text.utf8)[...]) == value)
  }

  @Test("What is not known is ?? in text and empty in JSON, for each address")
  func unknown() {
    let text = Run(["lookup", "-o", Samples.tern, "0x1", "0x2"])
    #expect(text.output == "??\n??:0:0\n\n??\n??:0:0\n\n")
    #expect(text.status == 0 && text.errors == "")
    let names = Run(["lookup", "-o", Samples.tern, "--functions-only", "0x1"])
    #expect(names.output == "??\n\n")
    let symbol = """
      {"Column":0,"Discriminator":0,"FileName":"","FunctionName":"","Line":0,"StartAddress":"",\
      "StartFileName":"","StartLine":0}
      """
    let object = """
      {"Address":"0x1","ModuleName":"\(Samples.tern)","Symbol":[\(symbol)]}
      """
    #expect(Run(["lookup", "-o", Samples.tern, "--json", "0x1"]).output == "[\(object)]\n")
    let lines = Run(["lookup", "-o", Samples.tern, "--json"], input: "0x1\n\n 1 \r\n0x1")
    #expect(lines.output == "\(object)\n\(object)\n\(object)\n")
  }

  @Test("A word that is no address keeps its place, and is named")
  func unreadable() {
    let run = Run(["lookup", "-o", Samples.tern, "zz", "0x1"])
    #expect(run.status == 2)
    #expect(run.output == "??\n??:0:0\n\n??\n??:0:0\n\n")
    #expect(run.errors == "mayday: 'zz' is no address\n")
    let json = Run(["lookup", "-o", Samples.tern, "--json"], input: "zz\n")
    #expect(json.output.hasPrefix(#"{"Error":{"Message":"unable to parse arguments: zz"}"#))
  }

  @Test("A file that cannot be used is an error with its reason")
  func refused() {
    let folder = ScratchFolder()
    let missing = Run(["lookup", "-o", folder.path("none"), "0x1"])
    #expect(missing.status == 3 && missing.errors.contains("cannot open: No such file"))
    let text = folder.write("text", Array("not an object".utf8))
    let other = Run(["lookup", "-o", text, "0x1"])
    #expect(other.status == 1 && other.errors.contains("no program and no debug file"))
    let cut = folder.write("cut", [0x7f, 0x45, 0x4c, 0x46, 2, 1, 1])
    let damaged = Run(["lookup", "-o", cut, "0x1"])
    #expect(damaged.status == 1 && damaged.errors.contains("needed at"), "\(damaged.errors)")
    let wrong = Run(["lookup", "-o", Samples.tern, "-a", "vax", "0x1"])
    #expect(wrong.status == 3 && wrong.errors.contains("holds no vax"))
  }
}
