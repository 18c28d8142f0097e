// tern-desk: the office side of the till, with a bug behind each command.

#if canImport(Glibc)
  import Glibc
#endif

@main
struct Desk {
  @MainActor static func main() async {
    let arguments = Array(CommandLine.arguments.dropFirst())
    guard let command = arguments.first else {
      print("usage: tern-desk COMMAND [ARGUMENT...]")
      exit(2)
    }
    await run(command, Array(arguments.dropFirst()))
  }

  @MainActor static func run(_ command: String, _ arguments: [String]) async {
    switch command {
    case "sync": print(await synchronise(arguments.compactMap { Int($0) }))
    case "batch": await run(arguments[0], Array(arguments.dropFirst()))
    default: print(answer(command, arguments))
    }
  }

  @inline(never)
  @MainActor static func answer(_ command: String, _ arguments: [String]) -> String {
    let number = arguments.first.flatMap { Int($0) } ?? 0
    switch command {
    case "show": return show(number, of: Cart(["pen", "ink", "pad"]))
    case "total": return "\(Cart(["pen", "ink", "pad"]).total(copies: Int32(number)))"
    case "greet": return greet(number, in: Customers())
    case "depth": return "\(Customers().depth(of: arguments[0]))"
    case "open": return "\(Store(path: arguments[0]).open())"
    case "core": return "\(tern_core_total(arguments[0], 2))"
    case "list": return "\(tern_core_list_price(arguments[0]))"
    default: return "tern-desk: no command \(command)"
    }
  }
}
