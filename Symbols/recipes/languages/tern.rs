// Crashes in the way that its argument names. Built and run by make-languages.sh.
use std::thread;

struct Desk {
    lines: Vec<u32>,
}

impl Desk {
    #[inline(always)]
    fn line(&self, n: usize) -> u32 {
        self.lines[n]
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        if std::env::args().any(|word| word == "drop") {
            panic!("desk is still open");
        }
    }
}

fn charge(desk: &Desk) -> u32 {
    desk.line(7)
}

fn main() {
    match std::env::args().nth(1).as_deref() {
        Some("index") => {
            let worker = thread::Builder::new().name("till 3".into());
            let _ = worker
                .spawn(|| println!("{}", charge(&Desk { lines: vec![] })))
                .unwrap()
                .join();
        }
        Some("drop") => println!("{}", charge(&Desk { lines: vec![] })),
        _ => panic!("no boat\nin the harbour"),
    }
}
