import Archives
import Glibc

@main
struct Main {
  static func main() {
    // Before anything else: this process is about to give up nearly all it may do.
    if CommandLine.arguments.dropFirst().first == UnpackChild.subcommand {
      exit(UnpackChild.run())
    }
  }
}
