internal import Archives
internal import Bytes
internal import Glibc
internal import Instructions
internal import ObjectFormats
internal import SymbolCache

/// Measures the parts that have a target figure. Prints the results, one `name value` per line.
@main
struct Main {
  private static let instructionSets: [String: InstructionSet] = [
    "x86_64": .x86_64, "x86": .x86, "arm64": .arm64,
  ]

  static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    if arguments.first == UnpackChild.subcommand { exit(UnpackChild.run()) }
    do {
      switch arguments.first {
      case "compile" where arguments.count >= 3:
        try CompileBench.run(
          file: arguments[1], output: arguments[2], rounds: Int(arguments.dropFirst(3).first ?? ""),
          architecture: arguments.dropFirst(4).first,
          keepsColumns: !arguments.contains("no-columns"))
      case "lookup" where arguments.count == 3:
        try LookUpBench.run(cache: arguments[1], offsets: arguments[2])
      case "frames" where arguments.count >= 2: try FrameBench.run(cache: arguments[1])
      case "damage" where arguments.count >= 2:
        try DamageBench.run(
          file: arguments[1], count: Int(arguments.dropFirst(2).first ?? "") ?? 1_000,
          seed: UInt64(arguments.dropFirst(3).first ?? "") ?? 1)
      case "parse" where arguments.count >= 2: try ParseBench.run(paths: Array(arguments[1...]))
      case "demangle": DemangleBench.run(style: arguments.dropFirst().first)
      case "decode" where arguments.count == 2 && instructionSets[arguments[1]] != nil:
        instructionSets[arguments[1]].map(DecodeList.run)
      case "grouping": GroupingBench.run(Array(arguments.dropFirst()))
      case "corpus" where arguments.count >= 2:
        var rest = arguments.dropFirst(2)
        let isLimited = rest.count > 1 && rest.first == "--unread"
        let unread = isLimited ? numbers(arguments[3..<4]).first ?? 0 : 0
        if isLimited { rest = rest.dropFirst(2) }
        exit(
          CorpusCheck.run(
            arguments[1], symbols: rest.filter { $0 != "--titles" },
            listsTitles: rest.contains("--titles"), unread: unread))
      case "home" where (3...4).contains(arguments.count) && numbers(arguments[2..<3]).count == 1:
        try HomeBench.run(
          home: arguments[1], count: numbers(arguments[2..<3])[0],
          isLean: arguments.last == "lean")
      case "more" where arguments.count == 5 && numbers(arguments[2...]).count == 3:
        let numbers = numbers(arguments[2...])
        try HomeBench.more(
          home: arguments[1], count: numbers[0], first: numbers[1],
          last: max(numbers[1], numbers[2]))
      case "queries" where [2, 3].contains(arguments.count):
        try QueryBench.run(home: arguments[1], part: arguments.dropFirst(2).first ?? "")
      case "related" where arguments.count == 3 && numbers(arguments[2...]).count == 1:
        try RelatedBench.run(home: arguments[1], groups: numbers(arguments[2...])[0])
      case "walk" where arguments.count >= 2:
        try WalkBench.run(
          file: arguments[1], rounds: Int(arguments.dropFirst(2).first ?? ""))
      case "edges" where arguments.count >= 2:
        try EdgeList.run(
          file: arguments[1], count: Int(arguments.dropFirst(2).first ?? "") ?? 4_000,
          architecture: arguments.dropFirst(3).first)
      case "http" where arguments.count >= 2 && arguments[1] == "echo":
        try HTTPEcho.run(port: UInt16(arguments.dropFirst(2).first ?? "") ?? 0)
      case "http-load" where arguments.count >= 2:
        try HTTPLoad.run(Array(arguments.dropFirst()))
      default:
        print(
          """
          usage: mayday-bench compile FILE OUT [ROUNDS [ARCH [no-columns]]]
                                                          a debug file to a symbol cache
                 mayday-bench lookup CACHE OFFSETS        look-ups in a cache, of hexadecimal offsets
                 mayday-bench edges FILE [COUNT [ARCH]]   addresses to compare symbolizers on
                 mayday-bench damage FILE [COUNT [SEED]]  damaged copies of a debug file, compiled
                 mayday-bench parse FILE...               MB a second of reading reports
                 mayday-bench grouping [--text [--steps] | --ablation] [--without LIST]
                     [--link on|off|0.70] [--ranking FILE]
                                                          signatures of labelled reports, a line of
                                                          JSON each, from standard input
                 mayday-bench demangle [ROUNDS | full]    names from standard input, readable, one
                                                          a line; with ROUNDS how many a second
                 mayday-bench decode x86_64|x86|arm64     instructions from standard input, decoded
                 mayday-bench walk STEPS [ROUNDS]         stacks of a stepped program, and their calls
                 mayday-bench corpus DIR [--unread COUNT] [--titles] [SYMBOLS...]
                                                          what became of a folder of real files, and
                                                          how good their titles are, or all titles;
                                                          up to COUNT files may be unread
                 mayday-bench home DIR COUNT [lean]       a home with COUNT made-up reports;
                                                          lean keeps few of the documents
                 mayday-bench more DIR COUNT FIRST LAST   reports beyond those, by number
                 mayday-bench queries DIR [NAME]          how fast such a home answers; NAME is part
                                                          of the queries' names
                 mayday-bench related DIR COUNT           a home with COUNT groups; how fast similar
                                                          ones are found, and one more report stored
                 mayday-bench frames CACHE                offsets (hexadecimal, a line each, from
                                                          standard input) to frames, separated by tabs
                 mayday-bench http echo [PORT]            a server that keeps nothing
                 mayday-bench http-load URL [--connections N] [--seconds N] [--method M]
                     [--body FILE]... [--gzip] [--header 'Name: value']...
                                                          requests a second, and how long each took
          """)
      }
    } catch {
      print("mayday-bench: \(error)")
      exit(1)
    }
  }

  /// Returns the words that are non-negative numbers.
  private static func numbers(_ words: some Sequence<String>) -> [Int] {
    words.compactMap { Int($0) }.filter { $0 >= 0 }
  }
}
