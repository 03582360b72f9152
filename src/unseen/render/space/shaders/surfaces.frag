// What is seen in a pixel, and what shines on it: the part that lighting programs have in common. The program that loads
// this gives SAMPLES a pixel, how many LAMPS and BODIES there are, which of the lamps is the SUN or -1, and whether there
// are PATTERNS.
//
// Software rasterisers run both sides of every branch, and unroll loops whose end they can guess, but do leave a loop that
// no pixel needs any more. So what is costly and rarely needed stands in loops that index no array by their counter.

const int MOST = 16;            // bodies
const float PI = 3.14159265;
const mat2 GOLDEN = mat2(-0.7373688, 0.6754903, -0.6754903, -0.7373688);  // a turn by the golden angle

#if SAMPLES > 1
uniform sampler2DMS seen_place;
uniform sampler2DMS seen_normal;
#else
uniform sampler2D seen_place;
uniform sampler2D seen_normal;
#endif

// lamps; a sun is everywhere in the same direction
uniform vec3 lamp_place[LAMPS];
uniform vec3 lamp_way[LAMPS];       // along which it shines
uniform vec3 lamp_power[LAMPS];     // irradiance at distance 1, or of a sun
uniform float lamp_edge[LAMPS];     // of a sun: at distance 1
uniform vec4 ball[BODIES];          // bodies as balls: center and radius

int own;                            // the thing that is lit
vec3 place;
vec3 facing;

// The things of a pixel: that of its first sample, that of another which shows something else, and the other's share.
// Of more than two things, one hides the rest.
struct Things { float first; float other; int shows_other; float share; };

Things things_at(ivec2 at) {
    Things found = Things(texelFetch(seen_place, at, 0).w, 0.0, 0, 0.0);
    for (int k = 1; k < SAMPLES; k++) {
        float thing = texelFetch(seen_place, at, k).w;
        if (thing != found.first) {
            found.other = thing;
            found.shows_other = k;
            found.share += 1.0 / float(SAMPLES);
        }
    }
    return found;
}

// Which way a lamp is, and how far; a sun is further away than anything.
vec4 toward(int lamp) {
    vec3 to = lamp == SUN ? -lamp_way[lamp] : lamp_place[lamp] - place;
    float reach = length(to);
    return vec4(to / reach, lamp == SUN ? 1e3 : reach);
}
