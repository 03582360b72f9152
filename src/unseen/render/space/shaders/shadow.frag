// What a lamp sees: nothing but its depth is kept.

void main() {
}
