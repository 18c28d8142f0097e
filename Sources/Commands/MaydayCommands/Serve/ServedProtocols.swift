import AppCenterProtocol
import BreakpadProtocol
import UpdateProtocols
import WebPages
import WebServer

/// What a server answers besides its own API: protocols and pages, a line each.
enum ServedProtocols {
  static let all: [ServerRoutes.ProtocolRoutes] = [
    { AppCenterRoutes.add(to: &$0, $1) },
    { BreakpadRoutes.add(to: &$0, $1) },
    { UpdateRoutes.add(to: &$0, $1) },
    { PageRoutes.add(to: &$0, $1) },
  ]
}
