internal import Bytes
internal import Glibc

/// The target of a fuzzer: an entry for each reader.
///
/// Built with `-DFUZZ -sanitize=fuzzer` it is a libFuzzer program, whose options follow the entry. Built
/// normally it runs each named file through the entry once, to repeat findings. `scripts/ci/fuzz` does all of
/// it.
@main
struct Main {
  static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    switch arguments.first {
    case "entries":
      for entry in FuzzEntry.allCases { print(entry.rawValue) }
    case "seeds" where arguments.count >= 3:
      Seeds.write(FuzzEntry(rawValue: arguments[1]), into: arguments[2], of: arguments.dropFirst(3))
    default:
      guard let entry = arguments.first.flatMap(FuzzEntry.init(rawValue:)) else {
        print(
          """
          usage: mayday-fuzz entries                       what can be fuzzed
                 mayday-fuzz seeds ENTRY FOLDER FILE...    a corpus to begin with
                 mayday-fuzz ENTRY FILE...                 each file once (a fuzzer's options, if
                                                           this was built as one)
          """)
        exit(2)
      }
      #if FUZZ
        Fuzzer.run(entry)
      #else
        for path in arguments.dropFirst() { run(entry, path) }
      #endif
    }
  }

  private static func run(_ entry: FuzzEntry, _ path: String) {
    do {
      entry.run(try ByteView(reading: path, limit: 1 << 30))
      print("\(path): fine")
    } catch {
      print("mayday-fuzz: \(error)")
      exit(1)
    }
  }
}
