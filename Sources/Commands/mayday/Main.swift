import Glibc
import MaydayCommands

@main
struct Main {
  static func main() { exit(MaydayProgram.run(CommandLine.arguments)) }
}
