internal import Demangling
internal import Glibc

/// Linker names from standard input: what they stand for, or how fast that is found.
enum DemangleBench {
  /// - Parameter rounds: How often all names are demangled; `nil` prints each, one a line.
  static func run(rounds: Int?) {
    var names: [String] = []
    while let line = readLine() { names.append(line) }
    guard let rounds else {
      for name in names { print(Demangler.demangle(name) ?? name) }
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
