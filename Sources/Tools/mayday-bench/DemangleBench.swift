internal import Demangling
internal import Glibc

/// Demangles linker names from standard input, or measures how fast.
enum DemangleBench {
  /// - Parameter style: How often all names are demangled; `full` for names of Microsoft's compiler with all
  ///   details. Without a number each name is printed, one per line.
  static func run(style: String?) {
    var names: [String] = []
    while let line = readLine() { names.append(line) }
    guard let rounds = style.flatMap({ Int($0) }) else {
      let isFull = style == "full"
      for name in names {
        print((isFull ? Demangler.undecorate(name) : Demangler.demangle(name)) ?? name)
      }
      return
    }
    var bytes = 0
    let start = Measure.processorTime
    for _ in 0..<rounds {
      for name in names { bytes += Demangler.demangle(name)?.utf8.count ?? 0 }
    }
    let seconds = Measure.processorTime - start
    print("names_per_second \(Int(Double(rounds * names.count) / max(seconds, 1e-9)))")
    print("bytes \(bytes)")
  }
}
